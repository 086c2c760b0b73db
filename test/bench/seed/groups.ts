import { EPOCH, groupId } from './sizes.js';
import type { Part, Sizes } from './sizes.js';

/** The share of all groups that lie so deep; the rest reaches down to twenty below the top. */
const LEVELS = [0.1, 0.3, 0.3, 0.15, 0.08, 0.04];
const DEEPEST = 20;

/** The numbers of the groups on each level, from 1: `[first, last]`. */
function levels({ groups }: Sizes): [number, number][] {
  const deep = (1 - LEVELS.reduce((sum, share) => sum + share)) / (DEEPEST + 1 - LEVELS.length);
  const shares = Array.from({ length: DEEPEST + 1 }, (_none, level) => LEVELS[level] ?? deep);
  let last = 0;
  let sum = 0;
  return shares.flatMap((share): [number, number][] => {
    const first = last + 1;
    sum += share;
    last = Math.min(groups, Math.max(last, Math.round(groups * sum)));
    return last >= first ? [[first, last]] : [];
  });
}

/** A group below is never more visible than the one above. */
const VISIBILITY = `case when above.visibility = 'private' or pg_temp.pick(i, 13, 100) < 50 then 'private'
  when above.visibility = 'internal' or pg_temp.pick(i, 13, 100) < 65 then 'internal' else 'public' end`;

function insertLevel(sizes: Sizes, [first, last]: [number, number], above: [number, number] | undefined): string {
  const base = groupId(sizes, 0);
  const parent = above
    ? `join namespaces above on above.id = ${base} + ${above[0]} + pg_temp.pick(i, 12, ${above[1] - above[0] + 1})`
    : `cross join (select null::bigint as id, 'public' as visibility, '{}'::bigint[] as traversal_ids) above`;
  return `
    insert into namespaces (id, kind, name, path, description, visibility, parent_id, traversal_ids, created_at, updated_at)
    select ${base} + i, 'group', initcap(pg_temp.adjective(i, 10)) || ' ' || initcap(pg_temp.noun(i, 11)) || ' ' || i,
           pg_temp.adjective(i, 10) || '-' || pg_temp.noun(i, 11) || '-' || i, 'We ' || pg_temp.verb(i, 14) || ' things.',
           ${VISIBILITY}, above.id, above.traversal_ids || (${base} + i),
           ${EPOCH} + i * interval '79 minutes', ${EPOCH} + i * interval '79 minutes'
      from generate_series(${first}, ${last}) i ${parent}`;
}

/** Each level's full paths, built from those of the level above. */
const insertRoutes = (sizes: Sizes, [first, last]: [number, number]) => `
  insert into routes (namespace_id, path, name)
  select n.id, coalesce(above.path || '/', '') || n.path, coalesce(above.name || ' / ', '') || n.name
    from namespaces n left join routes above on above.namespace_id = n.parent_id
   where n.id between ${groupId(sizes, first)} and ${groupId(sizes, last)}`;

/** Groups in trees, up to twenty deep. Their settings hold secrets: {@link fill} writes those. */
export const groups: Part = {
  name: 'groups',
  statements(sizes) {
    const found = levels(sizes);
    return [
      ...found.flatMap((level, depth) => [insertLevel(sizes, level, found[depth - 1]), insertRoutes(sizes, level)]),
      `analyze namespaces`,
      `analyze routes`,
    ];
  },
};
