import type { ExecutionContext } from 'ava';
import type { TestApp } from '../app.js';
import type { BuiltUser } from '../builders.js';
import type { Answer } from '../client.js';

/** Attempts a case by the way of one door. @returns whether it was let through */
type Enter<C, W> = (sandbox: W, input: C) => Promise<boolean>;

/** A door, optionally with demands on a case in addition to the rule: if they are not met, it is closed. */
export type Door<C, W> = Enter<C, W> | { demands: (input: C) => boolean; enter: Enter<C, W> };

/**
 * One rule behind several doors: the attempt, the expected result, and every door that must enforce it. A new way to do
 * the same adds a door; a new case is added once, and tested at every door.
 */
export interface Rule<C, W> {
  /** What all doors and cases need; made once. */
  sandbox(app: TestApp, t: ExecutionContext): Promise<W>;
  /** By name: the attempt, and whether it is let through. */
  cases: Record<string, { input: C; open: boolean }>;
  doors: Record<string, Door<C, W>>;
}

/** Names of the doors and cases where a rule is broken, tested one after the other: an attempt may change data. */
async function broken<C, W>(t: ExecutionContext, app: TestApp, rule: Rule<C, W>): Promise<string[]> {
  const sandbox = await rule.sandbox(app, t);
  const problems: string[] = [];
  for (const [name, door] of Object.entries(rule.doors)) {
    const { enter, demands } = typeof door === 'function' ? { enter: door, demands: () => true } : door;
    for (const [what, { input, open }] of Object.entries(rule.cases)) {
      const expected = open && demands(input);
      if ((await enter(sandbox, input)) !== expected)
        problems.push(`${name}: ${what} is ${expected ? 'refused' : 'let through'}`);
    }
  }
  return problems;
}

/** Asserts that a rule holds at all of its doors, of which there are several, with cases of either outcome. */
export async function holds<C, W>(t: ExecutionContext, app: TestApp, rule: Rule<C, W>): Promise<void> {
  // Every case is tested at every door, on a busy machine too.
  t.timeout(240_000);
  t.true(Object.keys(rule.doors).length > 1, 'a rule of one door has its own test');
  t.is(new Set(Object.values(rule.cases).map(({ open }) => open)).size, 2, 'a rule lets some through, others not');
  t.deepEqual(await broken(t, app, rule), []);
}

/** A request that went through. A refusal must be one: nothing that fails otherwise proves a rule. */
export function through({ status, text }: Answer): boolean {
  if (status < 300) return true;
  if ([400, 401, 403, 404, 422].includes(status)) return false;
  throw new Error(`${status} ${text}`);
}

/** Runs a mutation. @returns whether it succeeded: neither an error nor a payload that contains one */
export async function mutates(
  app: TestApp,
  user: BuiltUser,
  name: string,
  input: Record<string, unknown>,
): Promise<boolean> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { ${name}(input: $input) { errors } }`;
  const { status, body } = await app.as(user).graphql(query, { input });
  if (status === 401 || status === 403) return false;
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data?.[name]?.errors.length === 0;
}
