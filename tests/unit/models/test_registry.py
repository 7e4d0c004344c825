"""Names of models."""

import pytest

from percuss.core.errors import UsageError
from percuss.models import registry
from percuss.net.client import Client

KEYS = {
    "OPENAI_API_KEY": "k1",
    "ANTHROPIC_API_KEY": "k2",
    "GEMINI_API_KEY": "k3",
    "OPENROUTER_API_KEY": "k4",
    "WARD_SERVER_BASE_URL": "https://llm.ward.example/v1",
    "WARD_SERVER_API_KEY": "k5",
}


@pytest.mark.parametrize(
    ("text", "identity"),
    [
        ("openai/gpt-4o-mini", "openai/gpt-4o-mini"),
        ("openai:gpt-4o-mini", "openai/gpt-4o-mini"),
        ("ollama/llama3:8b", "ollama/llama3:8b"),
        ("ollama:llama3:8b", "ollama/llama3:8b"),
        ("openrouter/meta/llama-3", "openrouter/meta/llama-3"),
        ("openai-api/ward-server/m", "openai-api/ward-server/m"),
        ("openai-api:ward-server/org/m", "openai-api/ward-server/org/m"),
        ("inspect/hf/org/model", "inspect/hf/org/model"),
        ("embedded/smollm2-135m-instruct", "embedded/smollm2-135m-instruct"),
    ],
)
def test_slash_and_colon_forms_have_one_identity(text: str, identity: str) -> None:
    assert registry.parse(text).id == identity


@pytest.mark.parametrize(
    "text", ["", "gpt-4o", "opnai/gpt-4o", "openai", "openai/", "openai:", "/x", "openai-api/only"]
)
def test_what_is_no_name_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="expected"):
        registry.parse(text)


def test_a_misspelt_provider_gets_a_hint() -> None:
    with pytest.raises(UsageError, match=r"did you mean openai/\.\.\?"):
        registry.parse("opnai/gpt-4o")


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("openai/x", ("api.openai.com",)),
        ("anthropic/x", ("api.anthropic.com",)),
        ("google/x", ("generativelanguage.googleapis.com",)),
        ("openrouter/x", ("openrouter.ai",)),
        ("ollama/x", ("localhost:11434",)),
        ("vllm/x", ("localhost:8000",)),
        ("openai-api/ward-server/x", ("llm.ward.example",)),
        ("embedded/smollm2-135m-instruct", ()),
        ("inspect/openai/x", ("chosen by Inspect for openai",)),
    ],
)
def test_where_data_goes_is_known_before_the_first_call(text: str, places: tuple[str, ...]) -> None:
    assert registry.hosts(text, environ=KEYS) == places


@pytest.mark.parametrize(
    ("text", "base_url", "local"),
    [
        ("embedded/x", None, True),
        ("scripted/x.jsonl", None, True),
        ("ollama/x", None, True),
        ("vllm/x", "http://10.0.0.5:8000/v1", False),
        ("openai/x", None, False),
        ("openai/x", "http://127.0.0.1:8000/v1", True),
        ("inspect/openai/x", None, False),
    ],
)
def test_local_means_this_machine(text: str, base_url: str | None, local: bool) -> None:
    assert registry.is_local(text, base_url=base_url, environ={}) is local


def test_the_hosts_need_no_key_for_a_dry_run() -> None:
    assert registry.hosts("openai/x", environ={}) == ("api.openai.com",)


@pytest.mark.parametrize(
    ("text", "variable"),
    [
        ("openai/x", "OPENAI_API_KEY"),
        ("anthropic/x", "ANTHROPIC_API_KEY"),
        ("google/x", "GEMINI_API_KEY or GOOGLE_API_KEY"),
        ("openrouter/x", "OPENROUTER_API_KEY"),
    ],
)
def test_a_missing_key_names_its_variable(client: Client, text: str, variable: str) -> None:
    with pytest.raises(UsageError, match=variable):
        registry.build(text, client=client, environ={})


def test_a_service_needs_an_address_and_a_key(client: Client) -> None:
    with pytest.raises(UsageError, match="WARD_SERVER_BASE_URL"):
        registry.build("openai-api/ward-server/x", client=client, environ={})
    with pytest.raises(UsageError, match="WARD_SERVER_API_KEY"):
        registry.build(
            "openai-api/ward-server/x",
            client=client,
            environ={"WARD_SERVER_BASE_URL": "https://a.example/v1"},
        )
    assert registry.build("openai-api/ward-server/x", client=client, environ=KEYS).pin == "llm.ward.example"


def test_the_pin_is_the_host_and_never_the_path(client: Client) -> None:
    for url in (
        "https://proxy.example/openai/deployments/secret-path/v1",
        "https://PROXY.example:443/v1?api-version=3",
    ):
        assert registry.build("openai/x", client=client, environ=KEYS, base_url=url).pin == "proxy.example"


def test_a_base_url_comes_from_its_variable_and_the_option_wins(client: Client) -> None:
    environ = {**KEYS, "OPENAI_BASE_URL": "https://proxy.example/v1"}
    assert registry.build("openai/x", client=client, environ=environ).pin == "proxy.example"
    option = "http://127.0.0.1:1/v1"
    assert registry.build("openai/x", client=client, environ=environ, base_url=option).pin == "127.0.0.1:1"


@pytest.mark.parametrize(
    ("host", "place"),
    [
        ("gpu-box", "gpu-box:11434"),
        ("gpu-box:9999", "gpu-box:9999"),
        ("http://gpu-box:9999", "gpu-box:9999"),
        ("0.0.0.0", "127.0.0.1:11434"),
        ("http://gpu-box:80", "gpu-box"),
    ],
)
def test_ollamas_own_variable_in_its_short_forms(host: str, place: str) -> None:
    assert registry.hosts("ollama/x", environ={"OLLAMA_HOST": host}) == (place,)


def test_a_key_with_a_line_break_is_refused_and_not_repeated(client: Client) -> None:
    with pytest.raises(UsageError, match="OPENAI_API_KEY") as caught:
        registry.build("openai/x", client=client, environ={"OPENAI_API_KEY": "sk-one\nsk-two"})
    assert "sk-one" not in str(caught.value)


def test_a_base_url_makes_no_sense_in_this_process(client: Client) -> None:
    with pytest.raises(UsageError, match="--base-url"):
        registry.build("embedded/smollm2-135m-instruct", client=client, base_url="http://127.0.0.1:1")


def test_simulated_models_are_made_elsewhere(client: Client) -> None:
    assert registry.parse("phantom/recycler?reuse=0.8").provider == "phantom"
    with pytest.raises(UsageError, match="simulated"):
        registry.build("phantom/recycler", client=client)
