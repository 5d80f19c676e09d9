"""The cache of replies under a stampede, and question sheets."""

import threading
import time

from workbench.store import Reply, Store, open_store


def test_first_asker_has_it_others_are_busy_until_the_reply_is_there(store: Store) -> None:
    assert store.replies.claim("k", 0, owner="a", lease_s=60) == "mine"
    assert store.replies.claim("k", 0, owner="b", lease_s=60) == "busy"
    assert store.replies.claim("k", 0, owner="a", lease_s=60) == "busy"
    assert store.replies.claim("k", 1, owner="b", lease_s=60) == "mine"
    store.replies.put("k", 0, {"text": "yes"})
    found = store.replies.claim("k", 0, owner="b", lease_s=60)
    assert isinstance(found, Reply) and found.body == {"text": "yes"}


def test_released_claim_is_free_at_once(store: Store) -> None:
    store.replies.claim("k", 0, owner="a", lease_s=60)
    store.replies.release("k", 0, "b")  # not b's to give up
    assert store.replies.claim("k", 0, owner="b", lease_s=60) == "busy"
    store.replies.release("k", 0, "a")
    assert store.replies.claim("k", 0, owner="b", lease_s=60) == "mine"


def test_lease_of_a_dead_owner_passes_on(store: Store) -> None:
    store.replies.claim("k", 0, owner="a", lease_s=0.05)
    time.sleep(0.06)
    assert store.replies.claim("k", 0, owner="b", lease_s=60) == "mine"


def test_first_reply_stays(store: Store) -> None:
    store.replies.put("k", 0, {"text": "first"})
    store.replies.put("k", 0, {"text": "second"})
    reply = store.replies.get("k", 0)
    assert reply is not None and reply.body == {"text": "first"}
    assert store.replies.get("k", 1) is None


def test_a_renewed_claim_outlives_its_first_lease_and_only_its_owner_renews_it(store: Store) -> None:
    assert store.replies.claim("k", 0, owner="a", lease_s=0.0) == "mine"
    assert not store.replies.renew("k", 0, owner="b", lease_s=60)
    assert store.replies.renew("k", 0, owner="a", lease_s=60)
    assert store.replies.claim("k", 0, owner="b", lease_s=60) == "busy"
    store.replies.put("k", 0, {"text": "hi"})
    assert not store.replies.renew("k", 0, owner="a", lease_s=60)


def test_release_keeps_a_reply(store: Store) -> None:
    store.replies.claim("k", 0, owner="a", lease_s=60)
    store.replies.put("k", 0, {"text": "yes"})
    store.replies.release("k", 0, "a")
    assert store.replies.get("k", 0) is not None


def test_of_many_askers_at_once_one_has_it(store_url: str) -> None:
    answers: list[object] = []
    start = threading.Barrier(8)

    def ask(owner: str) -> None:
        with open_store(store_url) as store:
            start.wait()
            answers.append(store.replies.claim("k", 0, owner=owner, lease_s=60))

    threads = [threading.Thread(target=ask, args=(f"owner-{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(str(answer) for answer in answers) == ["busy"] * 7 + ["mine"]


def test_sheets_are_replaced_by_question(store: Store) -> None:
    store.sheets.put("facts", {"q1": {"facts": ["a"]}, "q2": {"facts": []}})
    store.sheets.put("facts", {"q2": {"facts": ["b"]}})
    store.sheets.put("other", {"q1": {}})
    assert store.sheets.all("facts") == {"q1": {"facts": ["a"]}, "q2": {"facts": ["b"]}}
    assert store.sheets.names() == {"facts": 2, "other": 1}
    assert store.sheets.all("none") == {}
