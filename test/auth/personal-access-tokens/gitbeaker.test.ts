import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

/** The client as a caller. */
const getClient = (token: string) => new Gitlab({ host: app.url, token });
const EXPIRES = '2030-02-01';

// Contract: core-2.clients
test('@gitbeaker/rest creates, lists, shows, rotates and revokes personal access tokens', async (t) => {
  const [admin, user] = [await app.build.admin(), await app.build.user()];
  const { PersonalAccessTokens: tokens } = getClient(admin.token);
  const token = await tokens.create(user.id, 'robot', ['api', 'read_user'], { expiresAt: EXPIRES });
  const own = getClient(token.token as string).PersonalAccessTokens;
  t.is((await own.show()).id, token.id);
  t.is((await tokens.show({ tokenId: token.id })).name, 'robot');
  const listed = await tokens.all({ userId: user.id, state: 'active' });
  t.deepEqual(
    listed.map(({ id }) => id),
    [user.token_id, token.id],
  );
  const next = await tokens.rotate(token.id, { expiresAt: EXPIRES });
  await t.throwsAsync(own.show(), { message: /invalid_token/ });
  const renewed = getClient(next.token as string).PersonalAccessTokens;
  const last = await renewed.rotate('self' as never);
  await getClient(last.token as string).PersonalAccessTokens.remove();
  t.true((await tokens.show({ tokenId: last.id })).revoked);
});

// Contract: core-2.clients
test('@gitbeaker/rest creates, lists, shows and revokes impersonation tokens', async (t) => {
  const [admin, user] = [await app.build.admin(), await app.build.user()];
  const { UserImpersonationTokens: tokens } = getClient(admin.token);
  const token = await tokens.create(user.id, 'helpdesk', ['api'], { expiresAt: EXPIRES });
  t.is((await getClient(token.token as string).Users.showCurrentUser()).id, user.id);
  t.true((await tokens.show(user.id, token.id)).impersonation);
  t.is((await tokens.all(user.id, { state: 'active' })).length, 1);
  await tokens.revoke(user.id, token.id);
  t.is((await tokens.all(user.id, { state: 'active' })).length, 0);
});

for (const kind of ['ProjectAccessTokens', 'GroupAccessTokens'] as const) {
  test(`@gitbeaker/rest creates, lists, shows, rotates and revokes ${kind}`, async (t) => {
    const { id, owner } = kind === 'ProjectAccessTokens' ? await app.build.project() : await app.build.group();
    const { [kind]: tokens } = getClient(owner.token);
    const token = await tokens.create(id, 'robot', ['api'], EXPIRES, { accessLevel: 30 });
    t.is(token.access_level, 30);
    t.is((await tokens.show(id, token.id)).name, 'robot');
    t.is((await getClient(token.token as string).Users.showCurrentUser()).id, token.user_id);
    const next = await tokens.rotate(id, token.id, { expiresAt: EXPIRES });
    t.deepEqual(
      (await tokens.all(id)).map(({ id: token, active }) => [token, active]),
      [
        [token.id, false],
        [next.id, true],
      ],
    );
    await tokens.revoke(id, next.id);
    t.true((await tokens.show(id, next.id)).revoked);
  });
}
