import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { offsetSourceOf } from '../../core/values/offset-source.js';
import { can, operation } from '../../core/operations/operation.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { mergeRequest } from '../merge-requests/merge-request.finder.js';
import { mergeRequestPolicy, projectMergeRequestPolicy } from '../merge-requests/merge-request.policy.js';
import type { ApprovalRule } from './approval-rule.serializer.js';

const ofRequest = {
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'read_merge_request'),
  plan: 'premium',
  authentication: 'open',
  kind: 'read',
  statements: 9,
} as const;

const ofProject = {
  resource: project,
  can: can(projectMergeRequestPolicy, 'read_merge_request'),
  plan: 'premium',
  kind: 'read',
  statements: 4,
} as const;

const ruleParam = { approval_rule_id: integer().describe('ID of the approval rule.') };

/** Read by which rules a merge request is approved, and who approved under each. */
export const getMergeRequestApprovalState = operation({
  name: 'getMergeRequestApprovalState',
  summary: 'Read the approval state of a merge request',
  ...ofRequest,
  run: (_ctx, found) => Promise.resolve(found),
});

/** List the approval rules of a merge request. */
export const listMergeRequestApprovalRules = operation({
  name: 'listMergeRequestApprovalRules',
  summary: 'List the approval rules of a merge request',
  ...ofRequest,
  run: (_ctx, found) => Promise.resolve(offsetSourceOf([found])),
});

/** Read one approval rule of a merge request. */
export const getMergeRequestApprovalRule = operation({
  name: 'getMergeRequestApprovalRule',
  summary: 'Read an approval rule of a merge request',
  ...ofRequest,
  params: ruleParam,
  run(_ctx, found, { approval_rule_id: id }) {
    if (id !== found.id) throw new NotFound();
    return Promise.resolve(found);
  },
});

async function ruleOfProject(ctx: Context, { id }: { id: number }): Promise<ApprovalRule> {
  const settings = await ctx.em.findOne(
    ProjectSettings,
    { project_id: id },
    { fields: ['project_id', 'approvals_before_merge'] },
  );
  if (!settings) throw new NotFound();
  return { id, approvals_required: settings.approvals_before_merge };
}

/** Read how a project has its merge requests approved. */
export const getProjectApprovals = operation({
  name: 'getProjectApprovals',
  summary: "Read the approval configuration of a project's merge requests",
  ...ofProject,
  run: (ctx, found) => ruleOfProject(ctx, found),
});

/** List the approval rules of a project. */
export const listProjectApprovalRules = operation({
  name: 'listProjectApprovalRules',
  summary: 'List the approval rules of a project',
  ...ofProject,
  run: async (ctx, found) => offsetSourceOf([await ruleOfProject(ctx, found)]),
});

/** Read one approval rule of a project. */
export const getProjectApprovalRule = operation({
  name: 'getProjectApprovalRule',
  summary: 'Read an approval rule of a project',
  ...ofProject,
  params: ruleParam,
  async run(ctx, found, { approval_rule_id: id }) {
    if (id !== found.id) throw new NotFound();
    return ruleOfProject(ctx, found);
  },
});
