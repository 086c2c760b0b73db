import type { Context } from '../../core/context/context.js';
import { lockName } from '../../core/database/lock-name.js';
import { containerColumns } from '../../core/operations/container.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import { Forbidden, Invalid, NotFound } from '../../core/values/errors.js';
import { lockContainer } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import type { CiDatabase } from '../ci.entities.js';
import { editTime } from '../pipeline-schedules/schedule-values.js';
import { assertNoProblems } from '../pipeline-schedules/schedule-rules.js';
import { CiVariable } from './ci-variable.entity.js';
import { findVariable, findVariablesByKey } from './ci-variable.finder.js';
import { variableProblems } from './ci-variable.rules.js';
import { decryptValue, encryptValue } from './variable-values.js';

/** The project or group that variables belong to; null is the instance. */
export type VariableOwner = Container | null;

/** Attributes that an edit may change; those left out stay. */
interface VariableChanges {
  value?: string | undefined;
  variable_type?: string | undefined;
  protected?: boolean | undefined;
  masked?: boolean | undefined;
  raw?: boolean | undefined;
  environment_scope?: string | undefined;
  description?: string | null | undefined;
}

interface NewVariable extends VariableChanges {
  key: string;
  value: string;
  masked_and_hidden?: boolean | undefined;
}

const ANY_ENVIRONMENT = '*';
const EDITABLE = [
  'variable_type',
  'protected',
  'masked',
  'raw',
  'environment_scope',
  'description',
] as const satisfies (keyof VariableChanges & keyof CiVariable)[];

/** The setting that limits the variables of an owner, and how the error calls them. */
const LIMITS = {
  project: ['project_ci_variables', 'project ci variables'],
  group: ['group_ci_variables', 'group ci variables'],
  instance: ['ci_instance_level_variables', 'ci instance level variables'],
} as const;

/**
 * One change of an owner's variables at a time: two would both use the last free number, or the same key and scope.
 * @throws NotFound when the owner was removed meanwhile
 */
async function lockOwner(ctx: Context, owner: VariableOwner): Promise<void> {
  if (!owner) return lockName(ctx, 'ci_variables of the instance');
  // Members of a project's namespace do not wait for its variables.
  if (owner.kind === 'group') return lockContainer(ctx, owner);
  const locked = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('projects as p')
    .select('p.id')
    .where('p.id', '=', owner.id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!locked) throw new NotFound('Project');
}

/** @throws Forbidden: a variable that was meant for some environments must not reach all of them */
function requirePlan(ctx: Context, owner: VariableOwner, scope: string): void {
  if (owner?.kind === 'group' && scope !== ANY_ENVIRONMENT && !ctx.hasPlan('premium')) throw new Forbidden();
}

/** @throws Invalid where the owner has as many variables as it may have. Expects the owner locked */
async function requireRoom(ctx: Context, owner: VariableOwner): Promise<void> {
  const [setting, noun] = LIMITS[owner?.kind ?? 'instance'];
  const limit = ctx.settings[setting];
  if (limit === 0 || (await ctx.em.count(CiVariable, containerColumns(owner))) < limit) return;
  throw new Invalid({ base: [`Maximum number of ${noun} (${limit}) exceeded`] });
}

/** @throws Invalid where another variable has that key and scope. Expects the owner locked */
async function requireFreeScope(ctx: Context, owner: VariableOwner, key: string, scope: string): Promise<void> {
  const rows = await findVariablesByKey(ctx, owner, key);
  if (rows.some((row) => row.environment_scope === scope))
    throw new Invalid({ key: [`(${key}) has already been taken`] });
}

const noteVariable = (owner: VariableOwner, variable: CiVariable) => ({
  container: owner?.summary ?? null,
  // Field by field: an event must not hold the value, not even encrypted.
  variable: { id: variable.id, key: variable.key, environment_scope: variable.environment_scope },
});

/** Creates a variable. @throws Invalid for its values, a key and scope that exist, and the limit; Forbidden by the plan */
export async function createVariable(ctx: Context, owner: VariableOwner, input: NewVariable): Promise<CiVariable> {
  const hidden = input.masked_and_hidden ?? false;
  const now = ctx.clock.now();
  const row = {
    ...containerColumns(owner),
    key: input.key.trim(),
    variable_type: input.variable_type ?? 'env_var',
    environment_scope: input.environment_scope ?? ANY_ENVIRONMENT,
    protected: input.protected ?? false,
    masked: hidden || (input.masked ?? false),
    hidden,
    raw: input.raw ?? false,
    description: input.description ?? null,
    created_at: now,
    updated_at: now,
  };
  requirePlan(ctx, owner, row.environment_scope);
  assertNoProblems(variableProblems({ ...row, value: input.value }));
  await lockOwner(ctx, owner);
  await requireFreeScope(ctx, owner, row.key, row.environment_scope);
  await requireRoom(ctx, owner);
  const value = encryptValue(ctx, row, input.value);
  const id = await ctx.em.insert(CiVariable, { ...row, value });
  const variable: CiVariable = { ...row, value, id };
  ctx.record({ type: 'ci_variable.created', ...noteVariable(owner, variable) });
  return variable;
}

/** Whether a stored variable has this value; one that cannot be decrypted has none, and may still be overwritten. */
function holdsValue(ctx: Context, row: CiVariable, value: string): boolean {
  try {
    return decryptValue(ctx, row) === value;
  } catch {
    return false;
  }
}

/** The variable with the changes that were sent, its value aside. */
function applyChanges(before: CiVariable, changes: VariableChanges): CiVariable {
  const sent = EDITABLE.filter((name) => changes[name] !== undefined).map((name) => [name, changes[name]]);
  return { ...before, ...(Object.fromEntries(sent) as Partial<CiVariable>) };
}

/** @throws Invalid for an edit that would show a value which was hidden for good, or that breaks a rule */
function requireEditable(before: CiVariable, after: CiVariable, value: string | undefined): void {
  if (before.hidden && !after.masked)
    throw new Invalid({ base: ['The visibility setting cannot be changed for masked and hidden variables.'] });
  assertNoProblems(variableProblems({ ...after, value }));
}

/**
 * Changes a variable; a change to what is stored already is none, and no event.
 * @param scope chooses between variables with the same key
 * @throws NotFound, Conflict between several scopes, Invalid, Forbidden by the plan
 */
export async function updateVariable(
  ctx: Context,
  owner: VariableOwner,
  key: string,
  scope: string | undefined,
  changes: VariableChanges,
): Promise<CiVariable> {
  await lockOwner(ctx, owner);
  const before = await findVariable(ctx, owner, key, scope);
  const after = applyChanges(before, changes);
  const attributes: string[] = EDITABLE.filter((name) => (after[name] ?? null) !== (before[name] ?? null));
  if (changes.value !== undefined && !holdsValue(ctx, before, changes.value)) attributes.unshift('value');
  if (attributes.length === 0) return before;
  const moves = attributes.includes('environment_scope');
  // The rule of masked values, and the scope that a value is bound to, concern a stored value too.
  const concerned = moves || attributes.includes('masked') || attributes.includes('raw');
  const value = changes.value ?? (concerned ? decryptValue(ctx, before) : undefined);
  if (moves) requirePlan(ctx, owner, after.environment_scope);
  requireEditable(before, after, value);
  if (moves) await requireFreeScope(ctx, owner, before.key, after.environment_scope);
  if (value !== undefined) after.value = encryptValue(ctx, after, value);
  after.updated_at = editTime(before.updated_at, ctx.clock.now());
  const edited = Object.fromEntries(EDITABLE.map((name) => [name, after[name]]));
  await ctx.em.nativeUpdate(
    CiVariable,
    { id: after.id },
    { ...edited, value: after.value, updated_at: after.updated_at },
  );
  ctx.record({ type: 'ci_variable.updated', ...noteVariable(owner, after), attributes });
  return after;
}

/** Removes a variable. @throws NotFound, also for the second of two at once; Conflict between several scopes */
export async function deleteVariable(ctx: Context, owner: VariableOwner, key: string, scope?: string): Promise<void> {
  await lockOwner(ctx, owner);
  const variable = await findVariable(ctx, owner, key, scope);
  requireUnmodified(ctx, variable);
  await ctx.em.nativeDelete(CiVariable, { id: variable.id });
  ctx.record({ type: 'ci_variable.deleted', ...noteVariable(owner, variable) });
}
