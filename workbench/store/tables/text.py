"""What full-text search needs beside the index itself, which `workbench.store.text.index` makes on each backend."""

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from workbench.store.tables.base import Base, Seq
from workbench.store.tables.trajectories import of_trajectory
from workbench.store.types import BIGINT


class TextDocumentTable(Base):
    """A number for each document that is indexed: it is indexed once, however many trajectories hold it."""

    __tablename__ = "text_documents"
    __table_args__ = ({"sqlite_autoincrement": True},)

    number: Mapped[Seq]
    key: Mapped[str] = mapped_column(ForeignKey("documents.key"), unique=True)


class DocumentUseTable(Base):
    """Which trajectories hold a document."""

    __tablename__ = "document_uses"
    __table_args__ = (Index(None, "trajectory"), {"sqlite_with_rowid": False})

    document: Mapped[int] = mapped_column(
        BIGINT, ForeignKey("text_documents.number"), primary_key=True, autoincrement=False
    )
    trajectory: Mapped[int] = of_trajectory()
