import {
  epicAwardOperations,
  issueAwardOperations,
  snippetAwardOperations,
  awardShape as award,
} from '../../../shared/planning/award-emoji/award-emoji.operations.js';
import type { AwardOperations } from '../../../shared/planning/award-emoji/award-emoji.operations.js';
import type { Awardable } from '../../../shared/planning/award-emoji/awardable.js';
import { del, get, post, routes } from '../../core/routes.js';
import type { RestRoute } from '../../core/routes.js';

const below = <A extends Awardable>({ list, get: read, award: give, takeBack }: AwardOperations<A>): RestRoute[] => [
  get('/', list, { present: award, paginate: 'offset' }),
  post('/', give, { present: award, status: 201 }),
  get('/:award_id', read, { present: award }),
  del('/:award_id', takeBack, { status: 204 }),
];

export default [
  ...routes('/projects/:id/issues/:issue_iid/award_emoji', below(issueAwardOperations)),
  ...routes('/groups/:id/epics/:epic_iid/award_emoji', below(epicAwardOperations)),
  ...routes('/projects/:id/snippets/:snippet_id/award_emoji', below(snippetAwardOperations)),
];
