import test from 'ava';
import { useApp } from '../../core/app.js';
import { keyedProject, keyIn } from './keys.js';

const app = useApp(test);

interface Noted {
  event_name: string;
  author_id: number;
  entity_id: number;
  details: { target_id: number; target_type: string; target_details: string; custom_message: string };
}

// Contract: deploy-keys.audit
test('adding, enabling, editing and removing a key stand in the log of the project, with title and fingerprint', async (t) => {
  const one = await keyedProject(app);
  const two = await keyedProject(app, { owner: one.owner });
  const client = app.as(one.owner);
  const { id, fingerprint_sha256: print } = await keyIn(app, one, { title: 'Robot' });
  await client.put(`${one.path}/${id}`, { title: 'Other', can_push: true });
  await client.put(`${one.path}/${id}`, { title: 'Other', can_push: true });
  // Enabled twice, but recorded once.
  await client.post(`${two.path}/${id}/enable`);
  await client.post(`${two.path}/${id}/enable`);
  await client.delete(`${one.path}/${id}`);
  const getNotes = async (project: { id: number }) => {
    const { body } = await client.get(`/projects/${project.id}/audit_events`);
    const notes = (body as Noted[]).filter(({ event_name: name }) => name.startsWith('deploy_key')).toReversed();
    for (const { author_id, entity_id, details } of notes)
      t.deepEqual(
        [author_id, entity_id, details.target_type, details.target_id],
        [one.owner.id, project.id, 'DeployKey', id],
      );
    return notes.map(({ event_name: name, details }) => [name, details.custom_message]);
  };
  t.deepEqual(await getNotes(one), [
    ['deploy_key_added', `Added deploy key Robot: ${print}, only reads`],
    ['deploy_key_updated', 'Changed title from "Robot" to "Other"'],
    ['deploy_key_updated', 'Changed can push from false to true'],
    ['deploy_key_removed', `Removed deploy key Other: ${print}, reads and pushes`],
  ]);
  t.deepEqual(await getNotes(two), [['deploy_key_enabled', `Enabled deploy key Other: ${print}, only reads`]]);
});
