import { subscriber, subscriberToAll } from '../core/context/subscribers.js';
import { followBoardsOfGroup, followBoardsOfProject } from './boards/follow-moves.js';
import { followPushes } from './issue-links/follow-pushes.js';
import { followGroupTransfer, followProjectTransfer } from './issuables/follow-transfer.js';
import { unassignMember } from './issuables/unassign-member.js';
import { followEpicsOfGroup, followEpicsOfProject, moveToEpicOf } from './issues/follow-moves.js';
import { moveIssueLinks } from './issue-links/move-links.js';
import { followEpicMentions } from './issue-links/follow-epic-mentions.js';
import { followMentions } from './issue-links/follow-mentions.js';
import { countSnippetSizes, followSnippetContent, followSnippetSize } from './snippets/follow-content.js';
import { followWikiContent, followWikiSize } from './wikis/wiki-meta.js';
import { recordEpicEvents, recordResourceEvents } from './issues/record-resource-events.js';

/** What follows from what happened here and below, in this order. */
export const planningSubscribers = [
  subscriber('labels and milestones of moved projects', ['project.transferred'], async (ctx, events) => {
    for (const { after } of events) await followProjectTransfer(ctx, after.id);
  }),
  subscriber('labels and milestones of moved groups', ['group.transferred'], async (ctx, events) => {
    for (const { after } of events) await followGroupTransfer(ctx, after.id);
  }),
  subscriber('issues of who left', ['member.removed'], async (ctx, events) => {
    for (const { container, member, unassign } of events) if (unassign) await unassignMember(ctx, container, member.id);
  }),
  subscriberToAll('resource events', ['issue.created', 'issue.changed'], recordResourceEvents),
  subscriberToAll('resource events of epics', ['epic.created', 'epic.changed'], recordEpicEvents),
  subscriber('epics of moved issues', ['issue.moved'], async (ctx, events) => {
    for (const { from, to } of events) await moveToEpicOf(ctx, from.issue.id, to.issue.id);
  }),
  subscriber('epics of moved projects', ['project.transferred'], async (ctx, events) => {
    for (const { after } of events) await followEpicsOfProject(ctx, after.id);
  }),
  subscriber('epics of moved groups', ['group.transferred'], async (ctx, events) => {
    for (const { after } of events) await followEpicsOfGroup(ctx, after.id);
  }),
  subscriber('boards of moved projects', ['project.transferred'], async (ctx, events) => {
    for (const { after } of events) await followBoardsOfProject(ctx, after.id);
  }),
  subscriber('boards of moved groups', ['group.transferred'], async (ctx, events) => {
    for (const { after } of events) await followBoardsOfGroup(ctx, after.id);
  }),
  subscriber('links of moved issues', ['issue.moved'], async (ctx, events) => {
    for (const { from, to } of events) await moveIssueLinks(ctx, from, to);
  }),
  subscriber('files of snippets', ['content.updated'], async (ctx, events) => {
    for (const { content, to } of events) await followSnippetContent(ctx, content, to);
  }),
  subscriber('sizes of snippets', ['content.measured'], async (ctx, events) => {
    for (const { content } of events) await followSnippetSize(ctx, content);
  }),
  subscriber('sizes of snippets that go', ['snippet.deleted'], async (ctx, events) => {
    for (const { snippet, project } of events) if (project) await countSnippetSizes(ctx, project.id, snippet.id);
  }),
  subscriber('wiki pages', ['content.updated'], async (ctx, events) => {
    for (const { content, from, to } of events) await followWikiContent(ctx, content, from, to);
  }),
  subscriber('sizes of wikis', ['content.measured'], async (ctx, events) => {
    for (const { content, size_bytes } of events) await followWikiSize(ctx, content, size_bytes);
  }),
  subscriber('mentions', ['issue.created', 'issue.changed'], followMentions),
  subscriber('mentions in epics', ['epic.created', 'epic.changed'], followEpicMentions),
  subscriber('closing commits', ['refs.updated'], followPushes),
];
