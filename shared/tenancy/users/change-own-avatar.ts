import { avatarParam, replaceAvatar } from '../../instance/avatars/avatars.js';
import { BadParams } from '../../core/values/errors.js';
import { instance, operation } from '../../core/operations/operation.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { User } from './user.entity.js';
import { findUser } from './user.finder.js';

/** Change one's own picture, or remove it by an empty text. */
export const changeOwnAvatar = operation({
  name: 'changeOwnAvatar',
  summary: "Change the caller's own picture",
  example: { avatar: '' },
  resource: instance,
  kind: 'write',
  params: { avatar: avatarParam() },
  async run(ctx, _instance, input) {
    if (input.avatar === undefined) throw new BadParams(['avatar is missing']);
    const { id } = ctx.caller.user;
    const found = await ctx.em
      .getKysely<TenancyDatabase>()
      .selectFrom('users as u')
      .select('u.avatar')
      .where('u.id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    const avatar = await replaceAvatar(ctx, { kind: 'user', id }, found?.avatar ?? null, input.avatar);
    await ctx.em.nativeUpdate(User, { id }, { avatar, updated_at: ctx.clock.now() });
    return findUser(ctx, id);
  },
});
