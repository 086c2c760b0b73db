import { labelOperations } from '../../shared/planning/labels/label.operations.js';
import { groupLabelSerializer, projectLabelSerializer } from '../../shared/planning/labels/label.serializer.js';
import { promoteLabel } from '../../shared/planning/labels/promote-label.js';
import { del, get, post, put, routes, containerRoutes } from '../core/routes.js';
import type { RestRoute } from '../core/routes.js';
import { milestoneOperations } from '../../shared/planning/milestones/milestone.operations.js';
import { milestoneSerializer } from '../../shared/planning/milestones/milestone.serializer.js';
import { promoteMilestone } from '../../shared/planning/milestones/promote-milestone.js';
import { boardOperations } from '../../shared/planning/boards/board.operations.js';
import { boardListSerializer, boardSerializer } from '../../shared/planning/boards/board.serializer.js';
import {
  badgeOperations,
  badgePreviewSerializer,
  badgeSerializer,
} from '../../shared/planning/badges/badge.operations.js';
import {
  epicAwardOperations,
  issueAwardOperations,
  snippetAwardOperations,
  awardSerializer,
} from '../../shared/planning/award-emoji/award-emoji.operations.js';
import type { AwardOperations } from '../../shared/planning/award-emoji/award-emoji.operations.js';
import type { Awardable } from '../../shared/planning/award-emoji/awardable.js';
import {
  createLinkOfIssue,
  deleteIssueLink,
  getIssueLink,
  listIssueLinks,
} from '../../shared/planning/issue-links/issue-link.operations.js';
import { issueLinkSerializer, linkedIssueSerializer } from '../../shared/planning/issue-links/issue-link.serializer.js';
import {
  attachmentLimit,
  attachToWiki,
  wikiAttachmentSerializer,
} from '../../shared/planning/wikis/wiki-attachments.js';
import {
  wikiOperations,
  wikiPageBasicSerializer,
  wikiPageSerializer,
} from '../../shared/planning/wikis/wiki.operations.js';
import type { WholeWikiPage, WikiPageRecord } from '../../shared/planning/wikis/wiki-page-meta.entity.js';
import type { Context } from '../../shared/core/context/context.js';
import type { Serializer } from '../../shared/core/operations/serializer.js';
import { renderedMarkdown, renderMarkdown } from '../../shared/planning/references/markdown.operations.js';

type Operations = (typeof labelOperations)['project'];
type LabelSerializer = typeof projectLabelSerializer;

const labelsBelow = (operations: Operations, present: LabelSerializer): RestRoute[] => [
  get('/', operations.list, { present, paginate: 'offset' }),
  post('/', operations.create, { present, status: 201 }),
  put('/', operations.updateByName, { present }),
  del('/', operations.removeByName, { status: 204 }),
  get('/:label_id', operations.get, { present }),
  put('/:label_id', operations.update, { present }),
  del('/:label_id', operations.remove, { status: 204 }),
  post('/:label_id/subscribe', operations.subscribe, { present, status: 201 }),
  post('/:label_id/unsubscribe', operations.unsubscribe, { present, status: 201 }),
];

export const labelRoutes = [
  ...routes('/projects/:id/labels', [
    ...labelsBelow(labelOperations.project, projectLabelSerializer),
    put('/:label_id/promote', promoteLabel, { present: groupLabelSerializer }),
  ]),
  ...routes('/groups/:id/labels', labelsBelow(labelOperations.group, groupLabelSerializer)),
];

export const milestoneRoutes = [
  ...containerRoutes('/milestones', milestoneOperations, (operations) => [
    get('/', operations.list, { present: milestoneSerializer, paginate: 'offset' }),
    post('/', operations.create, { present: milestoneSerializer, status: 201 }),
    get('/:milestone_id', operations.get, { present: milestoneSerializer }),
    put('/:milestone_id', operations.update, { present: milestoneSerializer }),
    del('/:milestone_id', operations.remove, { status: 204 }),
  ]),
  ...routes('/projects/:id/milestones', [
    post('/:milestone_id/promote', promoteMilestone, { present: milestoneSerializer }),
  ]),
];

export const boardRoutes = containerRoutes('/boards', boardOperations, (operations) => [
  get('/', operations.list, { present: boardSerializer, paginate: 'offset' }),
  post('/', operations.create, { present: boardSerializer, status: 201 }),
  // Own route: in the public product, displaying the page has this effect.
  post('/open', operations.open, { present: boardSerializer, status: 200 }),
  get('/:board_id', operations.get, { present: boardSerializer }),
  put('/:board_id', operations.update, { present: boardSerializer }),
  del('/:board_id', operations.remove, { status: 204 }),
  get('/:board_id/lists', operations.listLists, { present: boardListSerializer, paginate: 'none' }),
  post('/:board_id/lists', operations.createList, { present: boardListSerializer, status: 201 }),
  get('/:board_id/lists/:list_id', operations.getList, { present: boardListSerializer }),
  put('/:board_id/lists/:list_id', operations.moveList, { present: boardListSerializer }),
  del('/:board_id/lists/:list_id', operations.removeList, { status: 204 }),
]);

export const badgeRoutes = containerRoutes('/badges', badgeOperations, (operations) => [
  get('/', operations.list, { present: badgeSerializer, paginate: 'offset' }),
  post('/', operations.create, { present: badgeSerializer, status: 201 }),
  get('/render', operations.render, { present: badgePreviewSerializer }),
  get('/:badge_id', operations.get, { present: badgeSerializer }),
  put('/:badge_id', operations.update, { present: badgeSerializer }),
  del('/:badge_id', operations.remove, { status: 204 }),
]);

const awardsBelow = <A extends Awardable>({
  list,
  get: read,
  award: give,
  takeBack,
}: AwardOperations<A>): RestRoute[] => [
  get('/', list, { present: awardSerializer, paginate: 'offset' }),
  post('/', give, { present: awardSerializer, status: 201 }),
  get('/:award_id', read, { present: awardSerializer }),
  del('/:award_id', takeBack, { status: 204 }),
];

export const awardEmojiRoutes = [
  ...routes('/projects/:id/issues/:issue_iid/award_emoji', awardsBelow(issueAwardOperations)),
  ...routes('/groups/:id/epics/:epic_iid/award_emoji', awardsBelow(epicAwardOperations)),
  ...routes('/projects/:id/snippets/:snippet_id/award_emoji', awardsBelow(snippetAwardOperations)),
];

const LINKS = '/projects/:id/issues/:issue_iid/links';

export const issueLinkRoutes = [
  get(LINKS, listIssueLinks, { present: linkedIssueSerializer, paginate: 'none' }),
  post(LINKS, createLinkOfIssue, { present: issueLinkSerializer, status: 201 }),
  get(`${LINKS}/:issue_link_id`, getIssueLink, { present: issueLinkSerializer }),
  del(`${LINKS}/:issue_link_id`, deleteIssueLink, { present: issueLinkSerializer, status: 200 }),
];

type Listed = WikiPageRecord | WholeWikiPage;

/** Whole pages if their contents were requested. */
const listed = (_ctx: Context, pages?: readonly Listed[]) =>
  (pages?.[0] && 'content' in pages[0] ? wikiPageSerializer : wikiPageBasicSerializer) as Serializer<Listed>;

const pages = containerRoutes('/wikis', wikiOperations, (operations) => [
  get('/', operations.list, {
    present: listed,
    serializers: [wikiPageBasicSerializer as Serializer<Listed>, wikiPageSerializer as Serializer<Listed>],
    paginate: 'none',
  }),
  post('/', operations.create, { present: wikiPageSerializer, status: 201 }),
  get('/:slug', operations.get, { present: wikiPageSerializer }),
  put('/:slug', operations.update, { present: wikiPageSerializer }),
  del('/:slug', operations.remove, { status: 204 }),
]);

const attachments = containerRoutes('/wikis/attachments', attachToWiki, (operation) => [
  post('/', operation, { present: wikiAttachmentSerializer, status: 201, uploadLimit: attachmentLimit }),
]);

export const wikiRoutes = [...pages, ...attachments];

export const markdownRoutes = routes('/markdown', [
  post('/', renderMarkdown, { present: renderedMarkdown, status: 201 }),
]);
