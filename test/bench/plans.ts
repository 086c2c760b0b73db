import type pg from 'pg';
import type { Queryable } from '../../shared/core/database/database.js';
import { readKeysetPage, readOffsetPage } from '../../shared/core/database/list.js';
import type { List } from '../../shared/core/database/list.js';
import type { Statement } from '../../shared/core/database/driver/statement.js';

/** Tables below so many rows may be read whole. */
const SMALL = 5000;
/** Reading this share of a table's rows counts as reading it whole, by whatever kind of scan. */
const WHOLE = 0.5;

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

const getNodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(getNodes)];

async function tableSizes(db: pg.ClientBase): Promise<Map<string, number>> {
  const { rows } = await db.query<{ name: string; count: number }>(
    `select relname as name, reltuples::float8 as count from pg_class where relkind = 'r'`,
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** A description of a scan that reads a whole big table; null for any other node. */
function wholeRead(node: Node, sizes: ReadonlyMap<string, number>): string | null {
  const table = node['Relation Name'];
  const size = table === undefined ? 0 : (sizes.get(table) ?? 0);
  if (size < SMALL) return null;
  const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const read = (node['Actual Rows'] + dropped) * node['Actual Loops'];
  return read >= size * WHOLE ? `${node['Node Type']} reads ${Math.round(read)} of ${size} ${table}` : null;
}

export interface Explained {
  /** Scans that read a big table whole. */
  whole: string[];
  /** Milliseconds that the statements took on the server. */
  ms: number;
  text: string;
}

/** Runs a list's statements as the service does, and returns their query plans. */
export async function explainList<T>(db: pg.ClientBase, list: List<T>, keyset = false): Promise<Explained> {
  const sizes = await tableSizes(db);
  const found: Explained = { whole: [], ms: 0, text: '' };
  const explained: Queryable = {
    async query<R>(statement: Statement): Promise<R[]> {
      const text = `explain (analyze, timing off, format json) ${statement.text}`;
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Node; 'Execution Time': number }] }>(text, [
        ...statement.values,
      ]);
      const plan = rows[0]?.['QUERY PLAN'][0];
      if (!plan) throw new Error('The server explained nothing.');
      for (const node of getNodes(plan.Plan)) {
        const scan = wholeRead(node, sizes);
        if (scan) found.whole.push(scan);
      }
      found.ms += plan['Execution Time'];
      const { rows: lines } = await db.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, timing off, summary off) ${statement.text}`,
        [...statement.values],
      );
      found.text += `${lines.map((line) => line['QUERY PLAN']).join('\n')}\n\n`;
      return (await db.query(statement.text, [...statement.values])).rows as R[];
    },
  };
  await (keyset ? readKeysetPage(explained, list, 20) : readOffsetPage(explained, list, 1, 20));
  return found;
}
