import type { ContainerKind } from '../../core/operations/container.js';

/** Scopes that the tokens of a group may have (decision 11 of the contract); those of projects may have all. */
const ON_GROUPS = [
  'read_repository',
  'read_registry',
  'write_registry',
  'read_package_registry',
  'write_package_registry',
] as const;

/** All scopes, in the order in which every answer names them (deploy-tokens.md section 2). */
export const DEPLOY_TOKEN_SCOPES = [...ON_GROUPS, 'read_virtual_registry', 'write_virtual_registry'] as const;

export type DeployTokenScope = (typeof DEPLOY_TOKEN_SCOPES)[number];

/** The scopes that tokens of a project or of a group may have. */
export const scopesOn = (kind: ContainerKind): readonly DeployTokenScope[] =>
  kind === 'project' ? DEPLOY_TOKEN_SCOPES : ON_GROUPS;

/** The same scopes, each once, in the fixed order. */
export const inFixedOrder = (scopes: readonly string[]): DeployTokenScope[] =>
  DEPLOY_TOKEN_SCOPES.filter((scope) => scopes.includes(scope));
