"""What a trajectory retrieved, by document, and packed into a budget with every document accounted for."""

from workbench.evidence.documents import Document, documents_of
from workbench.evidence.pack import EvidencePack, PackedDocument, pack
from workbench.evidence.rank import LeftOut

__all__ = ["Document", "EvidencePack", "LeftOut", "PackedDocument", "documents_of", "pack"]
