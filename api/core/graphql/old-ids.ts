import { parse, print, visit } from 'graphql';

/** A type of global ids that has another name now (graphql.md section 3.8). */
export interface OldId {
  /** The former type: `gid://service/<oldType>/1`, and the scalar of that name, are accepted for the new type. */
  oldType: string;
  newType: string;
  /** The release that renamed it, `X.Y`. */
  since: string;
}

/** Types that were renamed: none so far. */
const RENAMED: readonly OldId[] = [];

const byOldType = new Map<string, OldId>();
const newScalars = new Map<string, string>();

/** The scalar for the global ids of a type: its name without colons. */
export const getScalarName = (type: string): string => `${type.replaceAll(':', '')}ID`;

/** Has the old name of a type accepted where the new one is; answers have the new one. */
export function declareOldId(row: OldId): void {
  byOldType.set(row.oldType, row);
  newScalars.set(getScalarName(row.oldType), getScalarName(row.newType));
}
for (const row of RENAMED) declareOldId(row);

/** The name that a type of a global id has now. */
export const getNewType = (type: string): string => byOldType.get(type)?.newType ?? type;

/**
 * A query whose variables are declared with the current scalars. It is printed again only if it uses an old scalar; its
 * error locations then refer to the printed text.
 */
export function withNewScalars(query: string): string {
  if (![...newScalars.keys()].some((name) => query.includes(name))) return query;
  try {
    return print(
      visit(parse(query), {
        SelectionSet: () => false,
        NamedType(node) {
          const name = newScalars.get(node.name.value);
          return name === undefined ? undefined : { ...node, name: { ...node.name, value: name } };
        },
      }),
    );
  } catch {
    // Syntax errors are reported by the code that parses the query.
    return query;
  }
}
