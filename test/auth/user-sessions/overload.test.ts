import test from 'ava';
import { PASSWORD_COST } from '../../../shared/core/threads/passwords.js';
import { useApp } from '../../core/app.js';
import { postJson } from '../../core/signed-in.js';

const app = useApp(test, [], { passwordCost: PASSWORD_COST });

// Contract: signin-hashing
test('more sign-ins at once than can be hashed soon are 503 at once, and told when to try again', async (t) => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => postJson(app.anonymous, '/users/sign_in', { login: 'nobody', password: 'wrong' })),
  );
  const rejections = answers.filter(({ status }) => status === 503);
  t.true(rejections.length > 0);
  t.is(answers.filter(({ status }) => status === 401).length, 30 - rejections.length);
  for (const { body, headers } of rejections) {
    t.deepEqual(body, { message: '503 Service Unavailable' });
    t.regex(headers.get('retry-after') ?? '', /^\d+$/);
  }
});
