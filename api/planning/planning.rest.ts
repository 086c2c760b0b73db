import { labelOperations } from '../../shared/planning/labels/label.operations.js';
import { groupLabelShape, projectLabelShape } from '../../shared/planning/labels/label.shape.js';
import { promoteLabel } from '../../shared/planning/labels/promote-label.js';
import { del, get, post, put, routes, containerRoutes } from '../core/routes.js';
import type { RestRoute } from '../core/routes.js';
import { milestoneOperations } from '../../shared/planning/milestones/milestone.operations.js';
import { milestoneShape } from '../../shared/planning/milestones/milestone.shape.js';
import { promoteMilestone } from '../../shared/planning/milestones/promote-milestone.js';
import { boardOperations } from '../../shared/planning/boards/board.operations.js';
import { boardListShape, boardShape } from '../../shared/planning/boards/board.shape.js';
import { badgeOperations, badgePreviewShape, badgeShape } from '../../shared/planning/badges/badge.operations.js';
import {
  epicAwardOperations,
  issueAwardOperations,
  snippetAwardOperations,
  awardShape,
} from '../../shared/planning/award-emoji/award-emoji.operations.js';
import type { AwardOperations } from '../../shared/planning/award-emoji/award-emoji.operations.js';
import type { Awardable } from '../../shared/planning/award-emoji/awardable.js';
import {
  createLinkOfIssue,
  deleteIssueLink,
  getIssueLink,
  listIssueLinks,
} from '../../shared/planning/issue-links/issue-link.operations.js';
import { issueLinkShape, linkedIssueShape } from '../../shared/planning/issue-links/issue-link.shape.js';
import { attachmentLimit, attachToWiki, wikiAttachmentShape } from '../../shared/planning/wikis/wiki-attachments.js';
import { wikiOperations, wikiPageBasicShape, wikiPageShape } from '../../shared/planning/wikis/wiki.operations.js';
import type { WholeWikiPage, WikiPageRecord } from '../../shared/planning/wikis/wiki-page-meta.entity.js';
import type { Context } from '../../shared/core/context/context.js';
import type { Shape } from '../../shared/core/operations/shape.js';
import { renderedMarkdown, renderMarkdown } from '../../shared/planning/references/markdown.operations.js';

type Operations = (typeof labelOperations)['project'];
type LabelShape = typeof projectLabelShape;

const labelsBelow = (operations: Operations, present: LabelShape): RestRoute[] => [
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

const labelRoutes = [
  ...routes('/projects/:id/labels', [
    ...labelsBelow(labelOperations.project, projectLabelShape),
    put('/:label_id/promote', promoteLabel, { present: groupLabelShape }),
  ]),
  ...routes('/groups/:id/labels', labelsBelow(labelOperations.group, groupLabelShape)),
];

const milestoneRoutes = [
  ...containerRoutes('/milestones', milestoneOperations, (operations) => [
    get('/', operations.list, { present: milestoneShape, paginate: 'offset' }),
    post('/', operations.create, { present: milestoneShape, status: 201 }),
    get('/:milestone_id', operations.get, { present: milestoneShape }),
    put('/:milestone_id', operations.update, { present: milestoneShape }),
    del('/:milestone_id', operations.remove, { status: 204 }),
  ]),
  ...routes('/projects/:id/milestones', [
    post('/:milestone_id/promote', promoteMilestone, { present: milestoneShape }),
  ]),
];

const boardRoutes = containerRoutes('/boards', boardOperations, (operations) => [
  get('/', operations.list, { present: boardShape, paginate: 'offset' }),
  post('/', operations.create, { present: boardShape, status: 201 }),
  // Ours: the public product's page does so when it is shown.
  post('/open', operations.open, { present: boardShape, status: 200 }),
  get('/:board_id', operations.get, { present: boardShape }),
  put('/:board_id', operations.update, { present: boardShape }),
  del('/:board_id', operations.remove, { status: 204 }),
  get('/:board_id/lists', operations.listLists, { present: boardListShape, paginate: 'none' }),
  post('/:board_id/lists', operations.createList, { present: boardListShape, status: 201 }),
  get('/:board_id/lists/:list_id', operations.getList, { present: boardListShape }),
  put('/:board_id/lists/:list_id', operations.moveList, { present: boardListShape }),
  del('/:board_id/lists/:list_id', operations.removeList, { status: 204 }),
]);

const badgeRoutes = containerRoutes('/badges', badgeOperations, (operations) => [
  get('/', operations.list, { present: badgeShape, paginate: 'offset' }),
  post('/', operations.create, { present: badgeShape, status: 201 }),
  get('/render', operations.render, { present: badgePreviewShape }),
  get('/:badge_id', operations.get, { present: badgeShape }),
  put('/:badge_id', operations.update, { present: badgeShape }),
  del('/:badge_id', operations.remove, { status: 204 }),
]);

const awardsBelow = <A extends Awardable>({
  list,
  get: read,
  award: give,
  takeBack,
}: AwardOperations<A>): RestRoute[] => [
  get('/', list, { present: awardShape, paginate: 'offset' }),
  post('/', give, { present: awardShape, status: 201 }),
  get('/:award_id', read, { present: awardShape }),
  del('/:award_id', takeBack, { status: 204 }),
];

const awardEmojiRoutes = [
  ...routes('/projects/:id/issues/:issue_iid/award_emoji', awardsBelow(issueAwardOperations)),
  ...routes('/groups/:id/epics/:epic_iid/award_emoji', awardsBelow(epicAwardOperations)),
  ...routes('/projects/:id/snippets/:snippet_id/award_emoji', awardsBelow(snippetAwardOperations)),
];

const LINKS = '/projects/:id/issues/:issue_iid/links';

const issueLinkRoutes = [
  get(LINKS, listIssueLinks, { present: linkedIssueShape, paginate: 'none' }),
  post(LINKS, createLinkOfIssue, { present: issueLinkShape, status: 201 }),
  get(`${LINKS}/:issue_link_id`, getIssueLink, { present: issueLinkShape }),
  del(`${LINKS}/:issue_link_id`, deleteIssueLink, { present: issueLinkShape, status: 200 }),
];

type Listed = WikiPageRecord | WholeWikiPage;

/** Whole pages where their contents were asked for. */
const listed = (_ctx: Context, pages?: readonly Listed[]) =>
  (pages?.[0] && 'content' in pages[0] ? wikiPageShape : wikiPageBasicShape) as Shape<Listed>;

const pages = containerRoutes('/wikis', wikiOperations, (operations) => [
  get('/', operations.list, {
    present: listed,
    shapes: [wikiPageBasicShape as Shape<Listed>, wikiPageShape as Shape<Listed>],
    paginate: 'none',
  }),
  post('/', operations.create, { present: wikiPageShape, status: 201 }),
  get('/:slug', operations.get, { present: wikiPageShape }),
  put('/:slug', operations.update, { present: wikiPageShape }),
  del('/:slug', operations.remove, { status: 204 }),
]);

const attachments = containerRoutes('/wikis/attachments', attachToWiki, (operation) => [
  post('/', operation, { present: wikiAttachmentShape, status: 201, uploadLimit: attachmentLimit }),
]);

const wikiRoutes = [...pages, ...attachments];

const markdownRoutes = routes('/markdown', [post('/', renderMarkdown, { present: renderedMarkdown, status: 201 })]);
