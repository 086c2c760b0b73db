type Row = Record<string, unknown>;

/** The kind of record that an id references, by its attribute. */
const KINDS: Readonly<Record<string, string>> = {
  group_id: 'groups',
  source_id: 'groups',
  project_id: 'projects',
  label_id: 'labels',
  milestone_id: 'milestones',
  board_id: 'boards',
  discussion_id: 'discussions',
};

/** Nested objects with ids, by their attribute. */
const WITHIN: Readonly<Record<string, string>> = {
  lists: 'board_lists',
  board: 'boards',
  notes: 'notes',
  parent: 'epics',
};

/** Times that the import itself gives: a member may have come with the import. */
const isOwnTime = (key: string, kind: string) => kind === 'members' && (key === 'created_at' || key === 'updated_at');

/**
 * The files of an archive, ids by the order in which each is first met: two archives of equal groups are the same then,
 * and references lead to the same things in both. Users keep their ids.
 * @param files by name, as `archiveObjects` reads them
 */
export function sameInAll(files: ReadonlyMap<string, Row[]>): Record<string, unknown> {
  const names = new Map<string, string>();
  const getAlias = (kind: string, id: unknown) => {
    const key = `${kind} ${String(id)}`;
    if (!names.has(key))
      names.set(key, `${kind}-${[...names.values()].filter((name) => name.startsWith(`${kind}-`)).length}`);
    return names.get(key);
  };
  const idKind = (key: string, kind: string): string | undefined => {
    if (key === 'id') return kind === 'user' || kind === 'user_contributions' ? undefined : kind;
    if (key === 'parent_id') return kind;
    return KINDS[key];
  };
  const same = (value: unknown, kind: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => same(one, kind));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !isOwnTime(key, kind))
        .map(([key, one]) => {
          const of = one === null ? undefined : idKind(key, kind);
          return [
            key,
            of ? getAlias(of, one) : same(one, WITHIN[key] ?? (key === 'user' || key === 'assignee' ? 'user' : kind)),
          ];
        }),
    );
  };
  const getName = (name: string) => name.replace(/(?<=groups\/)\d+/, (id) => getAlias('groups', Number(id)) ?? '');
  return Object.fromEntries(
    [...files].map(([name, rows]) => {
      const [, relation = 'groups'] = /\/([a-z_]+)\.ndjson$/.exec(name) ?? [];
      if (relation === '_all') return [name, rows.map((id) => getAlias('groups', id))];
      return [getName(name), rows.map((row) => same(row, relation))];
    }),
  );
}
