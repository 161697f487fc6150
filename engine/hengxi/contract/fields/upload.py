"""`upload`: a picture the user brought; the server has looked at its content, drawn it anew and keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..assets import Upload
from ..when import Condition
from .base import AutoRule, Binder, Context, Field, Schema, common, missing_choice, optional

UploadType = Literal["png", "jpg"]
MIMES: dict[str, str] = {"png": "image/png", "jpg": "image/jpeg"}


@dataclass(kw_only=True)
class UploadField(Field):
    """Wire: `{"file_id": "u3"}`. `most` in bytes."""

    type: Literal["upload"] = "upload"
    types: list[UploadType]
    most: int

    def annotate(self, annotation: Any) -> None:
        self.required = not optional(annotation)

    def schema(self) -> Schema:
        return {
            "type": ["object", "null"],
            "properties": {"file_id": {"type": "string", "pattern": "^u[1-9][0-9]*$"}},
            "required": ["file_id"],
            "additionalProperties": False,
        }

    def resolve(self, raw: Any, context: Context) -> Any:
        if raw is None:
            if self.required:
                missing_choice(self, context, "upload", "请上传")
            return None
        kept = context.asset(self.key)
        if kept is None:
            context.fault("upload.gone", f"“{self.title}”：图片已删除，请重新上传")
        elif kept["mime"] not in {MIMES[one] for one in self.types}:
            kinds = "或".join(one.upper() for one in self.types)
            context.fault("upload.type", f"“{self.title}”须为不超过 {self.most // 2**20} MB 的 {kinds} 图片")
        elif kept["bytes"] > self.most:
            size = kept["bytes"] / 2**20
            context.fault("upload.size", f"“{self.title}”有 {size:.1f} MB，最多 {self.most // 2**20} MB")
        return {"file_id": raw["file_id"]}

    def bind(self, resolved: Any, binder: Binder) -> Any:
        if not resolved:
            return None
        kept = binder.asset(self.key)
        return Upload(resolved["file_id"], kept["mime"], kept["bytes"], tuple(kept["shape"]))

    def bad_values(self, good: Any, context: Context) -> Iterator[tuple[Any, str]]:
        yield ({"file_id": "u999999"}, "upload.gone")


def upload(
    title: str,
    *,
    types: tuple[UploadType, ...] = ("png", "jpg"),
    most: str = "2MB",
    hint: str | None = None,
    when: Condition | None = None,
    advanced: bool = False,
    auto: AutoRule | str | None = None,
) -> Any:
    """A picture. Annotate `Upload` or `Upload | None`."""
    words = common(hint=hint, when=when, advanced=advanced, auto=auto)
    return UploadField(title=title, types=list(types), most=int(most.removesuffix("MB")) * 2**20, **words)
