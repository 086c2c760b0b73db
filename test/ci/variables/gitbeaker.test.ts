import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { createOwner } from './variable-owners.js';

const app = useApp(test);

// Contract: ci-variables.gitbeaker
test('@gitbeaker/rest does the whole cycle of variables of projects and groups', async (t) => {
  for (const kind of ['project', 'group'] as const) {
    const { id, owner } = await createOwner(app, kind);
    const api = new Gitlab({ host: app.url, token: owner.token });
    const variables = kind === 'project' ? api.ProjectVariables : api.GroupVariables;
    const created = await variables.create(id, 'TARGET', 'one', {
      variableType: 'file',
      protected: true,
      environmentScope: 'review/*',
      description: 'Where it goes',
    });
    t.like(created, {
      key: 'TARGET',
      value: 'one',
      variable_type: 'file',
      protected: true,
      environment_scope: 'review/*',
      description: 'Where it goes',
    });
    await variables.create(id, 'TARGET', 'two');
    t.deepEqual(
      (await variables.all(id)).map(({ value }) => value),
      ['one', 'two'],
    );
    const filter = { environment_scope: 'review/*' };
    t.is((await variables.show(id, 'TARGET', { filter })).value, 'one');
    await t.throwsAsync(() => variables.show(id, 'TARGET'), { message: /multiple variables/ });
    const edited = await variables.edit(id, 'TARGET', 'longer-value', { filter, masked: true, raw: true });
    t.like(edited, { value: 'longer-value', masked: true, raw: true, environment_scope: 'review/*', protected: true });
    await variables.remove(id, 'TARGET', { filter });
    t.is((await variables.show(id, 'TARGET')).value, 'two');
    await variables.remove(id, 'TARGET');
    await t.throwsAsync(() => variables.show(id, 'TARGET'), { message: /404 Variable Not Found/ });
    t.deepEqual(await variables.all(id), []);
  }
});
