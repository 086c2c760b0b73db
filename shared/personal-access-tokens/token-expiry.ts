import type { Context } from '../core/context.js';
import { Invalid } from '../core/errors.js';

const LONGEST_DAYS = 365;
const DAY_MS = 86_400_000;

/**
 * Holds a new personal access token to the instance's rule: where tokens must expire, within 365 days
 * (README "Settings of the instance").
 * @param expiresOn `YYYY-MM-DD`, or null for never
 * @throws Invalid 400 `{"message":{"expires_at":[…]}}`
 */
export function requireTokenExpiry(ctx: Context, expiresOn: string | null): void {
  if (!ctx.settings.require_personal_access_token_expiry) return;
  if (expiresOn === null) throw new Invalid({ expires_at: ["can't be blank"] });
  const last = new Date(ctx.clock.now().getTime() + LONGEST_DAYS * DAY_MS).toISOString().slice(0, 10);
  if (expiresOn > last) throw new Invalid({ expires_at: [`must be on or before ${last}`] });
}
