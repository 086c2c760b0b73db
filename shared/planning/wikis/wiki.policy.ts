import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import type { Container } from '../../tenancy/containers/container.js';
import { containerPolicy } from '../../tenancy/containers/container.policy.js';
import { featureOpen } from '../../tenancy/projects/project.policy.js';

/** In a project according to its `wiki_access_level`; in a group all callers who can read the group. */
const reads = (caller: UserOrAnonymous, container: Container): boolean =>
  container.kind === 'group'
    ? containerPolicy.read_group(caller, container)
    : featureOpen(caller, container.record, container.record.wiki_access_level);

const writes = (caller: UserOrAnonymous, container: Container): boolean =>
  container.open && reads(caller, container) && roleIn(caller, container, 'developer');

/** Permissions on the wiki of a project or group: Developers can write (core-resources.md section 8). */
export const wikiPolicy = policy({
  read_wiki: reads,
  create_wiki_page: writes,
  update_wiki_page: writes,
  destroy_wiki_page: writes,
});
