from __future__ import annotations

from datetime import date

from chains.finalize import Ending, answered, reason_to_withhold, withheld
from chains.plan import PLANS, plan_of
from chains.safety import Alarm
from chains.scope import Scope
from chains.understand import understand
from chains.widen import Widened
from core.schema import Claim, Concept, Draft, Evidence, Failure, Question, QuestionSettings, Usage, Verdict

CLAIM = Claim(text="Aspirin relieves pain.", span=(0, 22), cited=("given:1",))
VERDICT = Verdict(claim=CLAIM, label="supported", p_supported=0.9, p_contradicted=0.0, risk=0.2, why="it says so")
LEAFLET = Evidence(id="given:1", text=CLAIM.text, title="Leaflet", source="given", owner="Ward 3", expires="2026-01-01")
ENDING = Ending(
    question=Question(question="Does aspirin relieve pain?"),
    resolved="Does aspirin relieve pain?",
    understanding=understand("Does aspirin relieve pain?"),
    draft=Draft(text=CLAIM.text, citations=("given:1",), claims=(CLAIM,)),
    verdicts=(VERDICT, VERDICT.model_copy(update={"risk": 0.4})),
    evidence=(LEAFLET,),
    relevance={"given:1": 0.9},
    queries=("Does aspirin relieve pain?",),
    failures=(),
    usage=Usage(),
    rounds=0,
    engine="evidence-only",
    notices=(),
    exemplars=(),
    alarms=(),
    scope=Scope(),
    missing=(),
    unfounded=(),
    widened=None,
    plan=PLANS["full"],
    today=date(2026, 1, 1),
)


def test_an_answer_is_as_risky_as_its_riskiest_claim_and_says_it_is_no_advice() -> None:
    answer = answered(ENDING)
    assert (answer.risk, answer.abstained, answer.text) == (0.4, False, CLAIM.text)
    assert any("not medical advice" in notice for notice in answer.notices)


def test_an_answer_of_all_medicines_of_a_kind_says_that_it_is() -> None:
    wider = Widened("Do pain relievers relieve pain?", "pain relievers", "Aspirin")
    (notice,) = (n for n in answered(ENDING._replace(widened=wider)).notices if "pain relievers" in n)
    assert "of Aspirin alone" in notice


def test_an_answer_of_all_symptoms_says_that_it_is() -> None:
    wider = Widened("What are the symptoms of gout?", "", "gout")
    assert any("a symptom of gout" in notice for notice in answered(ENDING._replace(widened=wider)).notices)


def test_what_nothing_answers_of_a_medicine_nor_of_its_kind_names_both() -> None:
    wider = Widened("Do pain relievers cure gout?", "pain relievers", "Aspirin")
    empty = ENDING._replace(widened=wider, verdicts=(), draft=Draft(text=""))
    assert "about Aspirin or pain relievers in general" in reason_to_withhold(empty)


def test_an_expired_text_warns_from_the_day_after_its_date() -> None:
    assert not any("expired" in notice for notice in answered(ENDING).notices)
    late = answered(ENDING._replace(today=date(2026, 1, 2)))
    assert "Leaflet expired on 2026-01-01: ask Ward 3 for the current version." in late.notices


def test_unverified_stays_visibly_unverified() -> None:
    answer = answered(ENDING._replace(plan=plan_of(QuestionSettings(without=("verification",)))))
    assert answer.risk == 1.0
    assert "no statement of this answer has been checked" in answer.notices[0]


def test_withholding_gives_the_fixed_sentence_the_reason_and_the_risk_of_what_was_withheld() -> None:
    weak = VERDICT.model_copy(update={"label": "unverifiable", "risk": 0.8, "why": "no evidence is about aspirin"})
    answer = withheld(ENDING._replace(verdicts=(weak,)))
    assert answer.text == "I'm sorry, I can't help you based on the information I have"
    assert (answer.abstained, answer.citations, answer.choice, answer.risk) == (True, (), None, 0.8)
    assert "no evidence is about aspirin" in (answer.reason or "")


def test_a_supported_claim_that_may_be_about_something_else_is_withheld_with_that_reason() -> None:
    doubtful = VERDICT.model_copy(update={"risk": 0.7})
    reason = withheld(ENDING._replace(verdicts=(doubtful,))).reason or ""
    assert "does not surely answer this question" in reason
    assert "0.70" in reason


def test_a_reason_names_what_is_asked_about_only_where_that_is_surely_known() -> None:
    nothing = ENDING._replace(verdicts=(), draft=Draft(text=""))
    known = nothing.understanding.model_copy(update={"subject": "gout", "sure": True})
    guessed = known.model_copy(update={"subject": "recommended usually", "sure": False})
    assert "what was found about gout does not answer" in (withheld(nothing._replace(understanding=known)).reason or "")
    reason = withheld(nothing._replace(understanding=guessed)).reason or ""
    assert "what was found does not answer this question" in reason
    assert "recommended" not in reason
    cut = known.model_copy(update={"subject": "it likely to be"})
    assert "what was found does not answer" in (withheld(nothing._replace(understanding=cut)).reason or "")


def test_nothing_found_a_dead_source_and_another_language_are_told_apart() -> None:
    nothing = ENDING._replace(verdicts=(), evidence=(), draft=Draft(text=""), relevance={})
    assert "nothing was found" in (withheld(nothing).reason or "")
    dead = nothing._replace(failures=(Failure(source="repository", error="disk is gone"),))
    assert "repository: disk is gone" in (withheld(dead).reason or "")
    alone = nothing._replace(failures=(Failure(source="model, expand", error="it is gone"),))
    assert (withheld(alone).reason or "").startswith("nothing was found")
    certified = alone._replace(plan=PLANS["certified"])
    assert (withheld(certified).reason or "").startswith("no certified document")
    unwritten = alone._replace(plan=PLANS["vanilla"])
    assert withheld(unwritten).reason == "the model failed: model, expand: it is gone"
    assert withheld(unwritten._replace(evidence=(LEAFLET,))).reason == withheld(unwritten).reason
    italian = nothing._replace(understanding=ENDING.understanding.model_copy(update={"language": "it"}))
    assert "reads English" in (withheld(italian).reason or "")
    assert withheld(nothing).risk == 1.0


def test_what_only_the_clinic_knows_is_withheld_with_what_to_do_instead() -> None:
    scope = Scope(outside=0.9, kind="service")
    answer = withheld(ENDING._replace(verdicts=(), draft=Draft(text=""), scope=scope))
    assert "ask them" in (answer.reason or "")
    assert answer.suggestions == ()


def test_what_names_a_medicine_is_not_said_to_name_nothing() -> None:
    nothing = ENDING._replace(verdicts=(), draft=Draft(text=""), scope=Scope(outside=0.6, kind="vague"))
    vague = nothing.understanding.model_copy(update={"subject_concepts": (), "sure": False})
    assert "it is not said what" in (withheld(nothing._replace(understanding=vague)).reason or "")
    drug = Concept(id="D008139", name="Loperamide", group="CHEM")
    named = vague.model_copy(update={"subject": "imodium", "subject_concepts": (drug,), "sure": True})
    assert "imodium" in (withheld(nothing._replace(understanding=named)).reason or "")
    habit = Concept(id="D000093763", name="Intermittent Fasting", group="ACTI")
    done = named.model_copy(update={"subject": "intermittent fasting", "subject_concepts": (habit,)})
    assert "intermittent fasting" in (withheld(nothing._replace(understanding=done)).reason or "")
    test = done.model_copy(update={"subject": "test"})
    assert "it is not said what" in (withheld(nothing._replace(understanding=test)).reason or "")


def test_a_word_that_nobody_knows_is_named() -> None:
    answer = withheld(ENDING._replace(verdicts=(), draft=Draft(text=""), missing=("gallomancy",)))
    assert "gallomancy" in (answer.reason or "")


def test_where_somebody_is_in_danger_no_other_question_is_asked_for() -> None:
    vague = Scope(outside=0.9, kind="record")
    raised = (Alarm(kind="poisoning", words="i drank bleach"),)
    assert "your own record" in (withheld(ENDING._replace(scope=vague)).reason or "")
    assert "get that help first" in (withheld(ENDING._replace(scope=vague, alarms=raised)).reason or "")
    dose = (Alarm(kind="personal_dose", words="how much"),)
    assert "your own record" in (withheld(ENDING._replace(scope=vague, alarms=dose)).reason or "")


def test_of_quoted_sentences_the_first_says_why_nothing_is_answered() -> None:
    first = VERDICT.model_copy(update={"risk": 0.37, "signals": {"opposing_sources": 1.0}})
    given = ENDING._replace(verdicts=(first, VERDICT.model_copy(update={"risk": 0.1})))
    answer = withheld(given)
    assert answer.risk == 0.37
    assert (answer.reason or "").endswith("the least risk is 0.37; its sources do not agree")
    assert withheld(given._replace(engine="openai:model")).risk == 0.1


def test_what_a_question_takes_for_granted_and_nothing_says_is_told() -> None:
    answer = withheld(ENDING._replace(unfounded=("do vaccines cause diabetes?",)))
    assert "ask first “do vaccines cause diabetes?”" in (answer.reason or "")


def test_a_personal_question_is_answered_in_general_and_that_is_said() -> None:
    answer = answered(ENDING._replace(scope=Scope(outside=0.6, kind="decision")))
    assert any(notice.startswith("This is general information") for notice in answer.notices)


def test_a_question_that_is_not_answered_gets_the_nearest_pages() -> None:
    page = LEAFLET.model_copy(update={"title": "Gout: What causes gout?", "url": "https://medlineplus.gov/gout.html"})
    answer = withheld(ENDING._replace(verdicts=(), draft=Draft(text=""), evidence=(page,)))
    assert [(s.title, s.question) for s in answer.suggestions] == [("Gout", "What causes gout?")]
