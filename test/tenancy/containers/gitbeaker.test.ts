import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: custom-attributes-6
test('gitbeaker sets, reads, lists and removes attributes of users, groups and projects', async (t) => {
  const admin = await app.build.admin();
  const client = new Gitlab({ host: app.url, token: admin.token });
  const group = await app.build.group();
  const project = await app.build.project({ empty: true });
  const cycles = [
    { api: client.UserCustomAttributes, id: group.owner.id },
    { api: client.GroupCustomAttributes, id: group.id },
    { api: client.ProjectCustomAttributes, id: project.id },
  ];
  for (const { api, id } of cycles) {
    t.like(await api.set(id, 'role', 'Developer'), { key: 'role', value: 'Developer' });
    t.like(await api.set(id, 'role', 'Owner'), { key: 'role', value: 'Owner' });
    t.like(await api.show(id, 'role'), { key: 'role', value: 'Owner' });
    t.deepEqual(await api.all(id), [{ key: 'role', value: 'Owner' }]);
    await api.remove(id, 'role');
    t.deepEqual(await api.all(id), []);
  }
});
