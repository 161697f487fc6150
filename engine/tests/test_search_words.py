"""Words for finding a method: every name is one method, and no phrase or word means two things."""

from __future__ import annotations

from hengxi import registry
from hengxi.search_words import search_words


def test_intents_name_methods_and_no_phrase_stands_twice() -> None:
    intents = search_words()["intents"]
    assert {path for intent in intents for path in intent["methods"]} <= set(registry.paths())
    phrases = [phrase for intent in intents for phrase in intent["ask"]]
    assert sorted(phrases) == sorted(set(phrases))
    assert all(len(phrase) <= 20 for phrase in phrases)


def test_a_synonym_has_one_meaning() -> None:
    words = [word for meaning in search_words()["synonyms"] for word in meaning]
    assert sorted(words) == sorted(set(words))
    assert all(len(meaning) > 1 for meaning in search_words()["synonyms"])
