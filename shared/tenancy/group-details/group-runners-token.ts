import type { Context } from '../../core/context/context.js';
import { generateToken } from '../../core/values/secrets.js';
import { getRunnersToken } from './group.serializer.js';

const RUNNERS_TOKEN_PREFIX = 'grt-';

/** A fresh token that runners of a group register with, and the columns that it is stored in. */
export function newGroupRunnersToken(ctx: Context, groupId: number) {
  const plain = generateToken(RUNNERS_TOKEN_PREFIX);
  const { keys } = ctx.services;
  return {
    plain,
    columns: {
      runners_token: keys.encrypt(plain, getRunnersToken(groupId)),
      runners_token_digest: keys.digest(plain),
    },
  };
}
