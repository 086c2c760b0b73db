import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { loadRegistryKey } from './registry-key.js';

/** The audience and issuer of tokens, as set in the registry's configuration. */
export const REGISTRY_SERVICE = 'container_registry';
export const REGISTRY_ISSUER = 'capstan';

/** Clocks of the registry and of the service differ a little. */
const EARLIER_SECONDS = 10;

/** The actions that a token permits on one resource. */
export interface RegistryAccess {
  type: 'repository' | 'registry';
  name: string;
  actions: readonly string[];
}

export interface RegistryToken {
  token: string;
  /** Seconds. */
  expiresIn: number;
  issuedAt: Date;
}

/**
 * A token as specified by the registry's protocol (distribution, "Token Authentication Implementation"): a JWT with the
 * certificate in its header and the granted permissions in `access`.
 * @param subject the holder; empty for anonymous callers
 */
export async function signRegistryToken(
  ctx: Context<Caller>,
  subject: string,
  access: readonly RegistryAccess[],
): Promise<RegistryToken> {
  const { key, x5c } = await loadRegistryKey(ctx);
  const issuedAt = ctx.clock.now();
  const seconds = Math.floor(issuedAt.getTime() / 1000);
  const expiresIn = ctx.settings.container_registry_token_expire_delay * 60;
  const token = await new SignJWT({ access })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', x5c: [x5c] })
    .setIssuer(REGISTRY_ISSUER)
    .setSubject(subject)
    .setAudience(REGISTRY_SERVICE)
    .setIssuedAt(seconds)
    .setNotBefore(seconds - EARLIER_SECONDS)
    .setExpirationTime(seconds + expiresIn)
    .setJti(randomUUID())
    .sign(key);
  return { token, expiresIn, issuedAt };
}
