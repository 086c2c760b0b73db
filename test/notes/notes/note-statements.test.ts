import test from 'ava';
import { useApp } from '../../core/app.js';
import { issueFixture } from '../fixtures.js';

const app = useApp(test);

// Contract: notes.statements
test.serial('a comment that mentions somebody takes at most 14 statements', async (t) => {
  const { as, notes, project } = await issueFixture(app, { visibility: 'private' });
  const ann = await app.build.member(project, 'developer');
  // The first request with this token, and the first overall, read data that is then cached.
  await as.post(notes, { body: 'Hello' });
  for (const body of ['plain', `@${ann.username} look at this`]) {
    const statements = await app.statementsOf(async () => {
      t.is((await as.post(notes, { body })).status, 201);
    });
    t.log(`${body.split(' ')[0]}: ${statements}`);
    t.true(statements <= 14, `${statements} statements for ${body}`);
  }
});
