import { subscriber, subscriberToAll } from '../core/context/subscribers.js';
import { syncBoardsOfGroup, syncBoardsOfProject } from './boards/sync-boards.js';
import { scanPushes } from './issue-links/scan-pushes.js';
import { syncGroupTransfer, syncProjectTransfer } from './issuables/sync-transfer.js';
import { unassignMember } from './issuables/unassign-member.js';
import { syncEpicsOfGroup, syncEpicsOfProject, moveToEpicOf } from './issues/sync-epics.js';
import { moveIssueLinks } from './issue-links/move-links.js';
import { updateEpicMentions } from './issue-links/update-epic-mentions.js';
import { updateMentions } from './issue-links/update-mentions.js';
import { countSnippetSizes, updateSnippetFiles, updateSnippetSize } from './snippets/update-snippet-content.js';
import { updateWikiPages, updateWikiSize } from './wikis/wiki-meta.js';
import { recordEpicEvents, recordResourceEvents } from './issues/record-resource-events.js';

/** What follows from what happened here and below, in this order. */
export const planningSubscribers = [
  subscriber('labels and milestones of moved projects', ['project.transferred'], async (ctx, events) => {
    for (const { after } of events) await syncProjectTransfer(ctx, after.id);
  }),
  subscriber('labels and milestones of moved groups', ['group.transferred'], async (ctx, events) => {
    for (const { after } of events) await syncGroupTransfer(ctx, after.id);
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
    for (const { after } of events) await syncEpicsOfProject(ctx, after.id);
  }),
  subscriber('epics of moved groups', ['group.transferred'], async (ctx, events) => {
    for (const { after } of events) await syncEpicsOfGroup(ctx, after.id);
  }),
  subscriber('boards of moved projects', ['project.transferred'], async (ctx, events) => {
    for (const { after } of events) await syncBoardsOfProject(ctx, after.id);
  }),
  subscriber('boards of moved groups', ['group.transferred'], async (ctx, events) => {
    for (const { after } of events) await syncBoardsOfGroup(ctx, after.id);
  }),
  subscriber('links of moved issues', ['issue.moved'], async (ctx, events) => {
    for (const { from, to } of events) await moveIssueLinks(ctx, from, to);
  }),
  subscriber('files of snippets', ['content.updated'], async (ctx, events) => {
    for (const { content, to } of events) await updateSnippetFiles(ctx, content, to);
  }),
  subscriber('sizes of snippets', ['content.measured'], async (ctx, events) => {
    for (const { content } of events) await updateSnippetSize(ctx, content);
  }),
  subscriber('sizes of snippets that go', ['snippet.deleted'], async (ctx, events) => {
    for (const { snippet, project } of events) if (project) await countSnippetSizes(ctx, project.id, snippet.id);
  }),
  subscriber('wiki pages', ['content.updated'], async (ctx, events) => {
    for (const { content, from, to } of events) await updateWikiPages(ctx, content, from, to);
  }),
  subscriber('sizes of wikis', ['content.measured'], async (ctx, events) => {
    for (const { content, size_bytes } of events) await updateWikiSize(ctx, content, size_bytes);
  }),
  subscriber('mentions', ['issue.created', 'issue.changed'], updateMentions),
  subscriber('mentions in epics', ['epic.created', 'epic.changed'], updateEpicMentions),
  subscriber('closing commits', ['refs.updated'], scanPushes),
];
