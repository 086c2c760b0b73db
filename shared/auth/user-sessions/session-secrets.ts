import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keys } from '../../core/values/secrets.js';

/** A fresh secret for a session cookie: 256 random bits, URL-safe. */
export const newSessionSecret = (): string => randomBytes(32).toString('base64url');

/**
 * The CSRF token of a session: derived from its secret, so that it is valid for this session only, and so that the
 * cookie cannot be derived from it.
 */
export const getCsrfToken = (keys: Keys, secret: string): string => keys.digest(`csrf ${secret}`).toString('base64url');

/** Whether `token` is the CSRF token of the session, compared in constant time. */
export function isCsrfToken(keys: Keys, secret: string, token: string): boolean {
  const expected = Buffer.from(getCsrfToken(keys, secret));
  const actual = Buffer.from(token);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
