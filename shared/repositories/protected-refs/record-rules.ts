import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import type { AdmittingRule } from '../repositories.events.js';
import { loadEntries } from './access-entries.js';
import type { RuleKind } from './ref-rights.js';

type Rule = AdmittingRule['rule'];

/** A rule with its current entries. */
const withEntries = async (ctx: Context, kind: RuleKind, rule: Rule): Promise<AdmittingRule> => ({
  rule,
  entries: (await loadEntries(ctx, kind, [rule.id])).get(rule.id) ?? [],
});

/**
 * Records the creation of a rule, or its deletion when called beforehand, with its entries. Runs in the caller's
 * transaction.
 */
export async function recordRule(
  ctx: Context,
  project: ProjectRecord,
  kind: RuleKind,
  rule: Rule,
  what: 'created' | 'removed',
): Promise<void> {
  ctx.record({ type: `protected_${kind}.${what}`, project, ...(await withEntries(ctx, kind, rule)) });
}

/** Records an edit of a protected branch, with its previous and current entries. */
export async function recordBranchEdit(
  ctx: Context,
  project: ProjectRecord,
  before: AdmittingRule,
  rule: Rule,
): Promise<void> {
  ctx.record({ type: 'protected_branch.updated', project, before, after: await withEntries(ctx, 'branch', rule) });
}
