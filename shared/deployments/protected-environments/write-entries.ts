import type { Context } from '../../core/context/context.js';
import {
  changeEnvironmentEntries,
  insertEnvironmentEntries,
  loadEnvironmentEntries,
  removeEnvironmentEntries,
} from './environment-entries.js';
import type { EntryKind, EnvironmentEntryRecord } from './environment-entries.js';
import type { EntryPlan } from './plan-entries.js';
import type { ProtectedEnvironment } from './protected-environment.entity.js';

/** The entries of one protected environment, by kind. */
export type EntriesByKind = Record<EntryKind, readonly EnvironmentEntryRecord[]>;

export const ENTRY_KINDS: readonly EntryKind[] = ['deploy_access_levels', 'approval_rules'];

/** The entries of a protected environment as they are now. */
export async function entriesOfProtection(ctx: Context, { id }: { id: number }): Promise<EntriesByKind> {
  const [levels, rules] = await Promise.all(ENTRY_KINDS.map((kind) => loadEnvironmentEntries(ctx, kind, [id])));
  return { deploy_access_levels: levels?.get(id) ?? [], approval_rules: rules?.get(id) ?? [] };
}

/** Carries out what was planned, in the caller's transaction. */
export async function writeEntries(
  ctx: Context,
  found: ProtectedEnvironment,
  plans: Readonly<Partial<Record<EntryKind, EntryPlan>>>,
): Promise<void> {
  for (const kind of ENTRY_KINDS) {
    const plan = plans[kind];
    if (!plan) continue;
    await removeEnvironmentEntries(ctx, kind, found, plan.removed);
    await changeEnvironmentEntries(ctx, kind, found, plan.changed);
    await insertEnvironmentEntries(ctx, kind, found, plan.added);
  }
}
