import type { ProjectRecord } from '../tenancy/projects/project.entity.js';
import type { AuditOf } from '../instance/audit-events/audit-log.js';
import { auditedInstance, auditedProject, changeNotes } from '../instance/audit-events/audit-note.js';
import type { AuditNote } from '../instance/audit-events/audit-note.js';
import type { DomainEvent } from '../core/values/events.js';
import { recordNamesWith, settingNamesWith } from '../tenancy/namespaces/declared-settings.js';
import { declaredSettings } from '../tenancy/projects/declared-settings.js';
import type { ProjectSummary } from '../tenancy/tenancy.events.js';
import type { DeployKey } from './deploy-keys/deploy-key.entity.js';
import type { ProjectDeployKey } from './deploy-keys/deploy-key.finder.js';
import { MIRROR_ATTRIBUTES } from './project-mirrors/record-mirror-change.js';
import { ruleEditNotes, ruleNote } from './protected-refs/rule-notes.js';
import type { RepositoriesEvents } from './repositories.events.js';

/** Changes that others have to know about, as the audit log names them; secrets and texts are left out. */
const AUDITED = [
  'name',
  'path',
  'visibility',
  'default_branch',
  ...recordNamesWith(declaredSettings, 'audited'),
] as const;

const AUDITED_SETTINGS = settingNamesWith(declaredSettings, 'audited');

/** A note on the project as a whole: `project_restored`, "Project restored". */
const getNote = (project: ProjectSummary, what: string, message: string): AuditNote => ({
  event: `project_${what}`,
  entity: auditedProject(project),
  message,
});

const archivedNote = (project: ProjectRecord, archived: boolean): AuditNote => ({
  ...getNote(project, archived ? 'archived' : 'unarchived', archived ? 'Project archived' : 'Project unarchived'),
  change: { attribute: 'archived', from: !archived, to: archived },
});

function transferNotes({ before, after }: DomainEvent<'project.transferred'>): AuditNote[] {
  const moved: AuditNote = {
    ...getNote(after, 'namespace_updated', `Changed namespace from ${before.full_path} to ${after.full_path}`),
    change: { attribute: 'namespace', from: before.full_path, to: after.full_path },
  };
  if (before.visibility === after.visibility) return [moved];
  const message = `Changed visibility from ${before.visibility} to ${after.visibility}`;
  const change = { attribute: 'visibility', from: before.visibility, to: after.visibility };
  return [moved, { ...getNote(after, 'visibility_level_updated', message), change }];
}

function urlNote({ project, before, after }: DomainEvent<'project.mirror_changed'>): AuditNote {
  const [from, to] = [before.url, after.url];
  // Credentials must not be logged, only that they changed.
  if (from === to)
    return {
      ...getNote(project, 'updated', 'Changed the credentials of the import url'),
      change: { attribute: 'import_url_credentials', from: null, to: null },
    };
  const message = `Changed import url from ${JSON.stringify(from)} to ${JSON.stringify(to)}`;
  return { ...getNote(project, 'updated', message), change: { attribute: 'import_url', from, to } };
}

function mirrorNotes(event: DomainEvent<'project.mirror_changed'>): AuditNote[] {
  const { project, before, after, url_changed: urlChanged } = event;
  const note = { event: 'project_updated', entity: auditedProject(project) };
  const rules = changeNotes(note, before.rules, after.rules, MIRROR_ATTRIBUTES);
  return urlChanged ? [urlNote(event), ...rules] : rules;
}

const deployKeyTarget = ({ id, title }: DeployKey) => ({ type: 'DeployKey', id, details: title });

/** With its fingerprint, since titles are not unique. */
const deployKeyNote = (project: ProjectRecord, key: ProjectDeployKey, what: string, done: string): AuditNote => ({
  event: `deploy_key_${what}`,
  entity: auditedProject(project),
  target: deployKeyTarget(key),
  message: `${done} deploy key ${key.title}: ${key.fingerprint_sha256}, ${key.can_push ? 'reads and pushes' : 'only reads'}`,
});

const publicKeyNote = (key: DeployKey, what: string, done: string): AuditNote => ({
  event: `deploy_key_${what}`,
  entity: auditedInstance,
  target: deployKeyTarget(key),
  message: `${done} public deploy key ${key.title}: ${key.fingerprint_sha256}`,
});

/** How what happens to projects, their refs and the rules over them reads in the audit log. */
export const repositoriesAuditOf: AuditOf<RepositoriesEvents> = {
  'project.created': ({ project }) => getNote(project, 'created', 'Added project'),
  'project.updated': ({ project, before, after }) => {
    const note = { event: 'project_updated', entity: auditedProject(project) };
    return [
      ...changeNotes(note, before, after, AUDITED),
      ...changeNotes(note, before.settings, after.settings, AUDITED_SETTINGS),
    ];
  },
  'project.mirror_changed': mirrorNotes,
  'project.transferred': transferNotes,
  'project.archived': ({ project }) => archivedNote(project, true),
  'project.unarchived': ({ project }) => archivedNote(project, false),
  'project.deletion_marked': ({ project }) => getNote(project, 'deletion_marked', 'Project marked for deletion'),
  'project.restored': ({ project }) => getNote(project, 'restored', 'Project restored'),
  'project.fork_linked': ({ project, upstream }) => ({
    ...getNote(project, 'fork_relationship_created', `Made a fork of ${upstream.full_path}`),
    change: { attribute: 'forked_from_project', from: project.forked_from_id ?? null, to: upstream.id },
  }),
  'project.fork_unlinked': ({ project, upstream_id: upstreamId }) => ({
    ...getNote(project, 'fork_relationship_removed', 'Made no fork any more'),
    change: { attribute: 'forked_from_project', from: upstreamId, to: null },
  }),
  // The repository itself records the authors.
  'refs.updated': null,
  'content.updated': null,
  'content.measured': null,
  'repository.pushed': null,
  'repository.imported': null,
  'repository.repaired': ({ project, changes }) =>
    getNote(
      project,
      'repository_repaired',
      `Read the index of branches and tags anew from the repository: ${changes.length} differed`,
    ),
  // The completion of the leftover work records its own events.
  'repository.move_left': null,
  // Part of an edit of the project, which has its own event.
  'default_branch.changed': null,
  'protected_branch.created': ({ project, ...rule }) => ruleNote(project, 'branch', rule, 'created'),
  'protected_branch.updated': ({ project, before, after }) => ruleEditNotes(project, 'branch', before, after),
  'protected_branch.removed': ({ project, ...rule }) => ruleNote(project, 'branch', rule, 'removed'),
  'protected_tag.created': ({ project, ...rule }) => ruleNote(project, 'tag', rule, 'created'),
  'protected_tag.removed': ({ project, ...rule }) => ruleNote(project, 'tag', rule, 'removed'),
  'deploy_key.created': ({ project, key }) => deployKeyNote(project, key, 'added', 'Added'),
  'deploy_key.enabled': ({ project, key }) => deployKeyNote(project, key, 'enabled', 'Enabled'),
  'deploy_key.updated': ({ project, before, after }) =>
    changeNotes(
      { event: 'deploy_key_updated', entity: auditedProject(project), target: deployKeyTarget(after) },
      before,
      after,
      ['title', 'can_push'],
    ),
  'deploy_key.deleted': ({ project, key }) => deployKeyNote(project, key, 'removed', 'Removed'),
  'public_deploy_key.created': ({ key }) => publicKeyNote(key, 'added', 'Added'),
  'public_deploy_key.deleted': ({ key }) => publicKeyNote(key, 'removed', 'Removed'),
  // Only the configuration of a mirror is audited, not its updates.
  'mirror.update_requested': null,
  'mirror.updated': null,
};
