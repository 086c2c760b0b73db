import type { ContainerKind } from '../../core/operations/container.js';
import { Invalid } from '../../core/values/errors.js';
import { clearable, instant, list, oneOf, optional, text } from '../../core/operations/fields.js';

/** Scopes allowed for group tokens (decision 11 of the contract); project tokens may have all. */
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
const scopesOn = (kind: ContainerKind): readonly DeployTokenScope[] =>
  kind === 'project' ? DEPLOY_TOKEN_SCOPES : ON_GROUPS;

/** The same scopes, each once, in the fixed order. */
export const inFixedOrder = (scopes: readonly string[]): DeployTokenScope[] =>
  DEPLOY_TOKEN_SCOPES.filter((scope) => scopes.includes(scope));

export const MAX_USERNAME = 255;
const MAX_NAME = 255;
const USERNAME = /^[\w.+-]+$/;
/** "A and B", "A, B, and C". */
const sentence = new Intl.ListFormat('en', { type: 'conjunction' });

/** Answers write years with four digits, whatever offset came in. */
const isWritable = (value: Date) => value.getUTCFullYear() >= 1 && value.getUTCFullYear() <= 9999;

/** Parameters of making a token (deploy-tokens.md section 2). */
export const newDeployTokenParams = (kind: ContainerKind) => ({
  name: text()
    .describe('Name of the token.')
    .meta({ examples: ['Release'] }),
  scopes: list(oneOf(scopesOn(kind)), { commas: true }).describe('Scopes of the token.'),
  expires_at: clearable(
    instant()
      .refine((value) => isWritable(value as Date), 'is invalid')
      .meta({ type: 'string', format: 'date-time' }),
  ).describe('Timestamp of when the token expires; a date means midnight UTC. If omitted, the token never expires.'),
  username: optional(text()).describe('Username to use with the token. Defaults to `<prefix>+deploy-token-<id>`.'),
});

const isTooLong = (value: string, most: number) => value.length > most && [...value].length > most;

/** Problems with a token's values, in parameter order. */
function getProblems(attributes: { name: string; scopes: readonly string[]; username?: string | undefined }): string[] {
  const { name, scopes, username } = attributes;
  const problems: string[] = [];
  if (name.trim() === '') problems.push("Name can't be blank");
  if (isTooLong(name, MAX_NAME)) problems.push(`Name is too long (maximum is ${MAX_NAME} characters)`);
  if (scopes.length === 0) problems.push("Scopes can't be blank");
  if (username === undefined) return problems;
  if (isTooLong(username, MAX_USERNAME)) problems.push(`Username is too long (maximum is ${MAX_USERNAME} characters)`);
  if (!USERNAME.test(username)) problems.push("Username can contain only letters, digits, '_', '-', '+', and '.'");
  return problems;
}

/** @throws Invalid with one sentence for all that is wrong (deploy-tokens.md section 3) */
export function requireValues(attributes: Parameters<typeof getProblems>[0]): void {
  const problems = getProblems(attributes);
  if (problems.length > 0) throw new Invalid(sentence.format(problems));
}
