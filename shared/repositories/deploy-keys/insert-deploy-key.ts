import type { SignedInContext } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { clearable, instant, text } from '../../core/operations/fields.js';
import { DeployKey } from './deploy-key.entity.js';
import { expiryProblems, invalidKey, titleProblems } from './deploy-key-values.js';
import type { SshPublicKey } from './ssh-public-key.js';

const isBeforeYear10000 = (value: Date) => value.getUTCFullYear() <= 9999;

/** Parameters of a new key. */
export const deployKeyParams = {
  key: text()
    .describe(
      'Public key in the format of OpenSSH: ed25519, ECDSA, either of them on a hardware device, or RSA from 2048 bits.',
    )
    .meta({ examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPDXDz8THC5v7Va/BQrSAdzkArlQrdKcGR7VuJwLKVJx'] }),
  title: text()
    .describe('Title of the deploy key.')
    .meta({ examples: ['Release'] }),
  expires_at: clearable(
    instant()
      .refine((value) => isBeforeYear10000(value as Date), 'is invalid')
      .meta({ type: 'string', format: 'date-time' }),
  ).describe('Timestamp of when the key expires, in the future. The key does not expire without one.'),
};

export interface NewDeployKey {
  readonly title: string;
  readonly key: string;
  readonly expires_at?: Date | null | undefined;
}

/** Stores a key that nothing had before, as the caller's. @throws Invalid */
export async function insertDeployKey(
  ctx: SignedInContext,
  attributes: NewDeployKey,
  read: SshPublicKey,
  { isPublic }: { isPublic: boolean },
): Promise<DeployKey> {
  const problems = { ...titleProblems(attributes.title), ...expiryProblems(ctx, attributes.expires_at) };
  if (Object.keys(problems).length > 0) throw invalidKey(problems);
  const now = ctx.clock.now();
  const id = await ctx.em.insert(DeployKey, {
    title: attributes.title,
    key: read.key,
    fingerprint: read.fingerprint,
    fingerprint_sha256: read.fingerprint_sha256,
    public: isPublic,
    user_id: ctx.caller.id,
    expires_at: attributes.expires_at ?? null,
    created_at: now,
    updated_at: now,
  });
  const key = await ctx.em.findOne(DeployKey, { id });
  if (!key) throw new NotFound();
  return key;
}
