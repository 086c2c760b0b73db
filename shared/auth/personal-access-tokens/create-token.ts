import type { Context } from '../../core/context/context.js';
import { generateToken } from '../../core/values/secrets.js';
import { PersonalAccessToken } from './personal-access-token.entity.js';
import { requireMaker } from './token-rights.js';

/** Scopes that a token may carry (core-resources.md section 2). */
export const TOKEN_SCOPES = [
  'api',
  'read_user',
  'read_api',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'read_virtual_registry',
  'write_virtual_registry',
  'sudo',
  'admin_mode',
  'create_runner',
  'manage_runner',
  'ai_features',
  'k8s_proxy',
  'self_rotate',
] as const;

interface NewToken {
  user_id: number;
  name: string;
  description?: string | null;
  scopes: readonly string[];
  expires_on?: string | null;
  impersonation?: boolean;
  family_id?: number | null;
  project_id?: number | null;
  namespace_id?: number | null;
  access_level?: number | null;
  /** Set by the operator who starts the instance; otherwise generated. */
  plain?: string;
}

/**
 * Stores a token's digest and answers the token itself, which nothing can show again.
 * @throws Forbidden, InsufficientScope where the caller may make none like it
 */
export async function insertToken(
  ctx: Context,
  attributes: NewToken,
): Promise<{ record: PersonalAccessToken; plain: string }> {
  requireMaker(ctx, attributes);
  const now = ctx.clock.now();
  const plain = attributes.plain ?? generateToken(ctx.settings.personal_access_token_prefix);
  const values = {
    user_id: attributes.user_id,
    name: attributes.name,
    description: attributes.description ?? null,
    digest: ctx.services.keys.digest(plain),
    scopes: [...attributes.scopes],
    impersonation: attributes.impersonation ?? false,
    revoked: false,
    family_id: attributes.family_id ?? null,
    project_id: attributes.project_id ?? null,
    namespace_id: attributes.namespace_id ?? null,
    access_level: attributes.access_level ?? null,
    expires_on: attributes.expires_on ?? null,
    last_used_at: null,
    created_at: now,
    updated_at: now,
  };
  return { record: { id: await ctx.em.insert(PersonalAccessToken, values), ...values }, plain };
}

type Scope = (typeof TOKEN_SCOPES)[number];

/** Scope descriptions, shown to users before they grant a scope. */
export const SCOPE_DESCRIPTIONS: Record<Scope, string> = {
  api: 'Read and change everything that you can read and change.',
  read_api: 'Read everything that you can read.',
  read_user: 'Read your profile and those of other users.',
  read_repository: 'Read the files and history of your projects.',
  write_repository: 'Read and change the files and history of your projects.',
  read_registry: 'Read container images of your projects.',
  write_registry: 'Read and change container images of your projects.',
  read_virtual_registry: 'Read images through virtual registries.',
  write_virtual_registry: 'Read and change images through virtual registries.',
  sudo: 'Act as any other user, if you are an administrator.',
  admin_mode: 'Use your rights as administrator.',
  create_runner: 'Create runners.',
  manage_runner: 'Manage runners.',
  ai_features: 'Use AI features.',
  k8s_proxy: 'Reach clusters through the proxy.',
  self_rotate: 'Replace its own token.',
};
