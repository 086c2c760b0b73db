import { createQueryId, PostgresQueryCompiler } from 'kysely';
import type { OperationNodeSource, RootOperationNode } from 'kysely';

/** The text of an expression around its values. */
interface Fragment {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

/** Placeholder for a value. It cannot occur in a statement: PostgreSQL text cannot contain it. */
const VALUE = '\0';

class FragmentCompiler extends PostgresQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return VALUE;
  }
}

/** An expression, or a query without brackets, as text. */
export function buildFragment(expression: OperationNodeSource): Fragment {
  const { sql, parameters } = new FragmentCompiler().compileQuery(
    expression.toOperationNode() as RootOperationNode,
    createQueryId(),
  );
  return { strings: sql.split(VALUE), values: parameters };
}
