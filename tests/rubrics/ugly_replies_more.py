"""More ugly replies, of kinds that the first corpus lacks: verdicts taken back, drafts, and replies run together.

Written whole before any of them was tried (docs/decisions/0020 says how many were read right at first). `KEY`, RIGHT
and FAILED mean what they mean in `ugly_replies`.
"""

import json

from tests.rubrics.ugly_replies import FAILED, FORGED, GOOD, RIGHT, WRONG, Outcome, doc, entry

MORE: list[tuple[str, str, Outcome]] = [
    # Taken back after the document: the verdict that stands there is not the judge's last word.
    ("taken back in prose", GOOD + "\nWait, that is wrong: covers is only partly there.", FAILED),
    ("taken back without a label", GOOD + "\n\nOn second thought, I misread it. Please disregard this.", FAILED),
    ("corrected by id and label", GOOD + "\nCorrection: covers -> not", FAILED),
    ("corrected by label alone", GOOD + " Hmm. Make that partly.", FAILED),
    ("final verdict after the document", WRONG + "\n**Final verdict:** covers: fully, invents: not", FAILED),
    ("taken back in German", GOOD + "\nKorrektur: Ich habe mich geirrt, das stimmt so nicht.", FAILED),
    ("taken back in Chinese", GOOD + "\n更正：我重新考虑后认为该报告并未满足要求。", FAILED),
    ("taken back in Russian", GOOD + "\nИсправление: вывод выше неверен.", FAILED),
    ("taken back in Spanish", GOOD + "\nPerdón, me equivoqué: lo anterior no vale.", FAILED),
    ("taken back in Finnish", GOOD + "\nPerun tämän, luin väärin.", FAILED),
    ("the two mixed up", GOOD + "\nI think I mixed up the statements above.", FAILED),
    ("taken back in a thinking block", GOOD + "<think>Hmm, actually it never gives the length.</think>", FAILED),
    ("taken back with zero-width letters", GOOD + "\nAct\u200bually the opposite holds.", FAILED),
    ("taken back in full-width letters", GOOD + "\nＣｏｒｒｅｃｔｉｏｎ： the reverse.", FAILED),
    ("taken back in the fence's last line", f"```json\n{GOOD}\nscratch that\n```", FAILED),
    ("a second document begun and cut",
     GOOD + '\nRevised: {"key": "KEY", "verdicts": {"covers": {"verdict": "no', FAILED),
    ("a second document with single quotes", GOOD + f"\nRevised: {json.loads(WRONG)}", FAILED),
    ("a second document under a changed key name", GOOD + WRONG.replace('"key"', '"Key"'), FAILED),
    ("a diff after the document", GOOD + '\n- "verdict": "fully"\n+ "verdict": "not"', FAILED),
    ("struck through", f"~~{GOOD}~~\nI withdraw the above.", FAILED),
    # The document is named as something else than the verdict.
    ("an example of the form", f"An answer in the asked form would be, for example: {GOOD}", FAILED),
    ("a draft", f"Draft: {GOOD}", FAILED),
    ("a wrong answer shown", f"It would be wrong to say {GOOD}", FAILED),
    ("a template", f"Template: {GOOD}\nI will fill it in once I have read the report.", FAILED),
    # Harmless company that must not cost a verdict.
    ("an end mark", GOOD + "\n<|im_end|>", RIGHT),
    ("thanks after", GOOD + "\n\nThank you! Let me know if I can help further.", RIGHT),
    ("hope this helps", GOOD + "\nI hope this helps.", RIGHT),
    ("a line of dashes after", GOOD + "\n\n---\n", RIGHT),
    ("double newline and emoji", GOOD + "\n\n👍", RIGHT),
    ("an empty thinking block after", GOOD + "<think></think>", RIGHT),
    ("prose before in German", "Hier ist mein Urteil als JSON: " + GOOD, RIGHT),
    ("tool call in tags", f"<tool_call>\n{GOOD}\n</tool_call>", RIGHT),
    ("channel marks before", f"<|channel|>final<|message|>{GOOD}", RIGHT),
    # Other breakage.
    ("streamed pieces as events", f"data: {GOOD[:50]}\n\ndata: {GOOD[50:]}\n\ndata: [DONE]", FAILED),
    ("reply wrapped by an API", json.dumps({"choices": [{"message": {"content": GOOD}}]}), FAILED),
    ("JSON lines, one a criterion", '{"key": "KEY", "verdicts": {"covers": {"verdict": "fully"}}}\n'
     '{"key": "KEY", "verdicts": {"invents": {"verdict": "not"}}}', FAILED),
    ("two documents in an array that differ", f"[{GOOD}, {WRONG}]", FAILED),
    ("labels swapped with reasons", doc("r", "r"), FAILED),
    ("doubled braces", "{{" + GOOD[1:-1] + "}}", FAILED),
    ("base64", "eyJrZXkiOiAiS0VZIiwgInZlcmRpY3RzIjoge319", FAILED),
    ("forged document, then a refusal", FORGED + "\nI cannot judge this.", FAILED),
    ("a good document, then a refusal", GOOD + "\nI cannot really judge this without the sources.", FAILED),
    ("verdict in a numbered option", entry('{"verdict": "(a) fully"}'), FAILED),
    ("verdict with its negation in brackets", entry('{"verdict": "fully (not)"}'), FAILED),
    ("verdict reversed by its reason's field", entry('{"verdict": "fully", "verdict_corrected": "not"}'), FAILED),
    ("verdict struck through", entry('{"verdict": "~~fully~~ not"}'), FAILED),
]  # fmt: skip
