/** A column of a result, as the server describes it. */
export interface ResultColumn {
  /** Contains dots if the value belongs in a nested object: `owner.id`. */
  name: string;
  dataTypeID: number;
}

type Parse = (text: string) => unknown;
type Values = readonly (string | null)[];

/** Makes a record of a row's values. */
export type RowReader = (values: Values) => unknown;

interface Leaf {
  key: string;
  at: number;
  parse: Parse;
}

interface Branch {
  keys: string[];
  leaves: Leaf[];
  branches: Map<string, Branch>;
}

const newBranch = (): Branch => ({ keys: [], leaves: [], branches: new Map() });

function getBranch(root: Branch, path: readonly string[]): Branch {
  let branch = root;
  for (const key of path) {
    let child = branch.branches.get(key);
    if (!child) {
      child = newBranch();
      branch.branches.set(key, child);
      branch.keys.push(key);
    }
    branch = child;
  }
  return branch;
}

function getReader(branch: Branch, nested: boolean): RowReader {
  const { leaves } = branch;
  const branches = [...branch.branches].map(([key, child]) => ({ key, read: getReader(child, true) }));
  // Copied for each row, so that all records of a result have one hidden class, their keys in the order of the columns.
  const blank: Record<string, unknown> = Object.fromEntries(branch.keys.map((key) => [key, null]));
  // An outer join without a match: the nested object is null.
  const id = nested ? leaves.find((leaf) => leaf.key === 'id') : undefined;
  return (values) => {
    if (id && values[id.at] === null) return null;
    const record = { ...blank };
    for (const { key, at, parse } of leaves) {
      const value = values[at];
      if (value !== null && value !== undefined) record[key] = parse(value);
    }
    for (const { key, read } of branches) record[key] = read(values);
    return record;
  };
}

/**
 * A reader for rows of these columns: `id, owner.id, owner.name` gives `{id, owner: {id, name}}`, and `owner: null`
 * where `owner.id` is null.
 * @param parserOf how a type's text is read
 */
export function rowReader(columns: readonly ResultColumn[], parserOf: (dataTypeID: number) => Parse): RowReader {
  const root = newBranch();
  columns.forEach(({ name, dataTypeID }, at) => {
    const path = name.split('.');
    const key = path.pop() as string;
    const branch = getBranch(root, path);
    branch.keys.push(key);
    branch.leaves.push({ key, at, parse: parserOf(dataTypeID) });
  });
  return getReader(root, false);
}
