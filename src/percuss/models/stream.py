"""A streamed chat-completions answer, put together again."""

from typing import Any

__all__ = ["Stream"]


class Stream:
    """Collects chunks; `answer` is the body that an answer in one piece would have had."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._calls: dict[int, dict[str, Any]] = {}
        self._logprobs: list[Any] = []
        self._reason: str | None = None
        self._last: dict[str, Any] = {}
        self._error: Any = None

    def add(self, chunk: dict[str, Any]) -> None:
        """Take the next chunk, or the error that came in place of one."""
        if "error" in chunk:
            self._error = chunk["error"]
            return
        self._last = {**self._last, **{key: value for key, value in chunk.items() if key != "choices"}}
        for choice in chunk.get("choices", ()):
            delta = choice.get("delta") or {}
            self._texts.append(delta.get("content") or "")
            for part in delta.get("tool_calls") or ():
                self._add_call(part)
            self._logprobs.extend((choice.get("logprobs") or {}).get("content") or ())
            self._reason = choice.get("finish_reason") or self._reason

    def _add_call(self, part: dict[str, Any]) -> None:
        call = self._calls.setdefault(part.get("index", 0), {"function": {"name": "", "arguments": ""}})
        if part.get("id"):
            call["id"] = part["id"]
        for field, text in (part.get("function") or {}).items():
            call["function"][field] = call["function"].get(field, "") + (text or "")

    def answer(self) -> dict[str, Any]:
        """Return the whole body, or the error."""
        if self._error is not None:
            return {"error": self._error}
        message: dict[str, Any] = {"role": "assistant", "content": "".join(self._texts)}
        if self._calls:
            message["tool_calls"] = [self._calls[index] for index in sorted(self._calls)]
        choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": self._reason}
        if self._logprobs:
            choice["logprobs"] = {"content": self._logprobs}
        return {**self._last, "choices": [choice]}
