"""Column kinds as migrations write them: frozen, apart from the types that today's tables use."""

import sqlalchemy as sa

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
BIGINT = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)
