"""Where a text speaks of its own author, in the languages that deep research is asked in.

NAME stands for any name. Only the name is masked, not the words around it. Each pattern is tried on
`folding.Folded.text`, without regard to case.
"""

_BY = r"(?:by|with|using|with\s+the\s+help\s+of)\s+(?:[\w'’-]+\s+){0,4}?"
_KIND = r"(?:model|assistant|agent|AI|system|LLM|chatbot|bot|intelligence|tool)"
_WORK = r"(?:report|research|analysis|document|answer|response|summary|text|article|study|review|overview|brief|output)"
_MADE = r"(?:generated|written|prepared|produced|compiled|created|authored|researched|drafted|assembled|powered|made)"
_LINE_START = r"(?m:^)(?:[^\S\n]|[*_>#|（(–—-])*"
_KIND_THEN_NAME = rf"(?:[\w,’'-]+\s+){{0,5}}?{_KIND}\b,?\s+(?:[\w,’'-]+\s+){{0,5}}?NAME"
# "The report by X on grids" speaks of somebody's report; "Report by X." signs one.
_NO_MORE = r"(?-i:(?!['’]s)(?!\s+[a-z]))"

ENGLISH: tuple[str, ...] = (
    r"\b(?:I am|I['’]m|you are (?:talking|speaking) (?:to|with))\s+(?:the\s+|called\s+|named\s+|based\s+on\s+)?NAME",
    rf"\b(?:I am|I['’]m|you are (?:talking|speaking) (?:to|with))\s+{_KIND_THEN_NAME}",
    r"\bmy\s+(?:name|developer|developers|creator|creators|maker|makers)\s+(?:is|are|at)\s+NAME",
    rf"\bI\s+was\s+(?:trained|developed|built|{_MADE})\s+{_BY}NAME",
    r"\bmy\s+training\s+(?:by|at|with|from)\s+NAME",
    r"\bas\s+(?:an?\s+|the\s+|your\s+)?(?:[\w'’-]+\s+){0,7}?NAME(?:[^.\n]{0,60}?,)?\s+(?-i:I)\b(?!\.)",
    rf"\blike\s+(?:every|any|all|other|most)\s+(?:[\w-]+\s+){{0,3}}?{_KIND}s?\s+(?:from|by|of)\s+NAME"
    r"[^.\n]{0,40}?,\s+(?-i:I)\b",
    rf"\byour\s+(?:[\w-]+\s+){{0,3}}?{_KIND},\s+NAME",
    r"(?-i:\bI),\s+NAME,",
    rf"{_LINE_START}(?:(?:hi|hello|hey)[,!.]?\s+)?NAME\s+here\s*[:,.!]",
    r"\bthank(?:s|\s+you)\s+for\s+(?:using|choosing|asking)\s+NAME",
    rf"\b(?:this|the|our)\s+(?:[\w-]+\s+)?{_WORK}\s+(?:was|is|has\s+been)\s+(?:[\w-]+\s+)?{_MADE}\s+{_BY}NAME",
    rf"\bthis\s+(?:[\w-]+\s+)?{_WORK}\s+is\s+(?:an?\s+|the\s+)?(?:output|product|work|creation|result)\s+of\s+NAME",
    rf"{_LINE_START}(?:[\w-]+\s+)?(?:{_MADE}|built)\s+{_BY}NAME",
    rf"{_LINE_START}(?:[\w-]+\s+)?{_WORK}\s+{_BY}NAME{_NO_MORE}",
    rf"{_LINE_START}(?:authors?|assistant|by|signed)\s*:[\s*_]*NAME",
    r"(?:—|--)\s*NAME[^\n]{0,40}\s*\Z",
)

_MADE_ZH = r"(?:生成|撰写|编写|制作|提供|完成|整理|开发|训练)"
_WORK_ZH = r"(?:本报告|本文|本研究|本回答|此报告|以下(?:内容|报告|回答|分析))"
CHINESE: tuple[str, ...] = (
    r"(?:我是|我叫)[^，。！？\n]{0,16}?NAME",
    r"作为[^，。！？\n]{0,12}?NAME[^。！？\n]{0,24}?我",
    rf"{_WORK_ZH}[^。！？\n]{{0,12}}?由[^。！？\n]{{0,12}}?NAME[^。！？\n]{{0,12}}?{_MADE_ZH}",
    rf"{_LINE_START}由\s*NAME[^。！？\n]{{0,12}}?{_MADE_ZH}",
    r"感谢(?:您|你)?(?:的)?(?:使用|选择)\s*NAME",
    rf"{_LINE_START}(?:作者|撰写|助手)\s*[:：][\s*_]*NAME",
)

_FEW = r"(?:[\w'’-]+\s+){0,7}?"
# I am X; my name is X.
_I_AM = (
    "soy", "me llamo", "mi nombre es", "je suis", "je m['’]appelle", "mon nom est", "ich bin", "ich heiße",
    "mein name ist", "eu sou", "meu nome é", "me chamo", "io sono", "sono un", "mi chiamo", "il mio nome è", "ik ben",
    "mijn naam is", "jag är", "jag heter", "jeg er", "jestem", "nazywam się", "меня зовут", "мене звати", "tôi là",
    "tên tôi là", "saya adalah", "nama saya", "أنا", "اسمي", "मेरा नाम", "मैं",
)  # fmt: skip
# This report was written ... by X: the demonstrative and the verb tell it from a report by somebody.
_THIS_MADE_BY = (
    r"(?:este|esta|el presente|la presente)\s+(?:informe|reporte|documento|análisis|respuesta|investigación)"
    r"\s+(?:fue|ha sido|está|es)\s+\w+\s+(?:por|con|mediante)\s+",
    r"(?:ce|cette|le présent)\s+(?:rapport|document|analyse|réponse|texte|étude)\s+(?:a été|est|fut)\s+\w+\s+"
    r"(?:par|avec)\s+",
    r"(?:diese[rs]?|der vorliegende)\s+(?:bericht|analyse|dokument|antwort|text|studie)\s+(?:wurde|ist|entstand)\s+"
    r"(?:von|mit|durch)\s+",
    r"(?:este|esta|o presente|a presente)\s+(?:relatório|documento|análise|resposta|texto|estudo)\s+(?:foi|é)\s+\w+\s+"
    r"(?:por|pelo|pela|com)\s+",
    r"(?:questo|questa|il presente|la presente)\s+(?:rapporto|documento|analisi|risposta|testo|studio|relazione)\s+"
    r"(?:è stat[oa]|è)\s+\w+\s+(?:da|dal|con)\s+",
    r"(?:dit|deze)\s+(?:rapport|document|analyse|antwoord|tekst|studie)\s+(?:is|werd)\s+\w+\s+(?:door|met)\s+",
    r"(?:den|det)\s+(?:här|her)\s+(?:rapporten|texten|svaret|analysen)\s+\w+\s+\w*\s*(?:av|af)\s+",
    r"(?:ten|ta|niniejszy)\s+(?:raport|dokument|analiza|odpowiedź|tekst)\s+(?:został[ao]?|jest)\s+\w+\s+przez\s+",
    r"(?:этот|данный|настоящий|цей)\s+(?:отч[её]т|документ|анализ|ответ|текст|звіт)\s+\w+\s+(?:с помощью\s+)?",
    r"(?:báo cáo|tài liệu|câu trả lời|phân tích)\s+này\s+được\s+[\w\s]{0,16}?(?:bởi|bằng)\s+",
    r"(?:laporan|dokumen|jawaban|analisis)\s+ini\s+\w+\s+(?:oleh|dengan)\s+",
    r"(?:تم\s+\S+\s+)?هذا\s+(?:التقرير|التحليل|النص|الجواب)[^.\n]{0,24}?(?:بواسطة|من قبل)\s+",
    r"यह\s+(?:रिपोर्ट|दस्तावेज़?|उत्तर|लेख)\s+(?=\S+\s+द्वारा)",
    r"bu\s+(?:rapor|belge|yanıt|analiz|metin)\s+(?=\S+\s+tarafından)",
)
# As X, I ...
_AS_FIRST_PERSON = (
    r"\bcomo\s+(?:o\s+|a\s+)?NAME,\s+(?:no|não|yo|eu|he|tengo|puedo|soy|posso|tenho|sou|encontré|encontrei|busqué)\b",
    rf"\ben tant que\s+{_FEW}NAME[^.\n]{{0,60}}?\bj(?:e\b|['’])",
    rf"\bals\s+{_FEW}NAME\s+(?:\w+\s+)?(?:kann|habe|bin|konnte|darf|werde|möchte)\s+ich\b",
    rf"\bals\s+{_FEW}NAME\s+(?:kan|heb|ben|mag)\s+ik\b",
    r"\bcome\s+NAME,\s+(?:io|non\s+posso|posso|ho|sono)\b",
)
OTHERS: tuple[str, ...] = (
    rf"\b(?:{'|'.join(_I_AM)})\s+(?:o\s+|a\s+|el\s+|la\s+)?{_FEW}NAME",
    # A pronoun that is also a name (Ben) or stands before many words (я) needs the name at once.
    r"\b(?:ben|я|я\s*[–—-])\s+NAME",
    *(rf"\b{by}{_FEW}NAME" if by.isascii() else rf"{by}{_FEW}NAME" for by in _THIS_MADE_BY),
    *_AS_FIRST_PERSON,
    r"(?:私は|わたしは|僕は)[^。！？\n]{0,16}?NAME",
    r"(?:この|本)(?:レポート|報告書|記事|文書|回答|調査)は[^。\n]{0,20}?NAME[^。\n]{0,16}?(?:作成|生成|執筆)",
    rf"{_LINE_START}(?:作成者|著者|筆者)\s*[:：][\s*_]*NAME",
    r"(?:저는|나는|제 이름은)[^.。\n]{0,16}?NAME",
    r"이\s*(?:보고서|답변|문서|글)[은는][^.\n]{0,20}?NAME[^.\n]{0,12}?(?:작성|생성)",
    r"(?:\bя\s*[–—-]\s*|меня зовут\s+)[^.\n]{0,24}?NAME",
)
SELF_REFERENCE = (*ENGLISH, *CHINESE, *OTHERS)

# A word that may be just a word (a run called `broad`) names the author only in the name's very place.
_END = r"(?=[\s*_]*(?:[,.;:!?)，。！？]|$|\n))"
OUTRIGHT: tuple[str, ...] = (
    rf"\b(?:I am|I['’]m|my name is|me llamo|je m['’]appelle|ich heiße)\s+(?:called\s+|named\s+)?NAME{_END}",
    r"\bas\s+NAME,\s+(?-i:I)\b",
    rf"\b(?:{_MADE}|{_WORK})\s+by\s+[*_]*NAME{_END}",
    rf"{_LINE_START}(?:authors?|assistant|by|signed)\s*:[\s*_]*NAME{_END}",
    rf"(?:我是|我叫)\s*NAME{_END}",
)
