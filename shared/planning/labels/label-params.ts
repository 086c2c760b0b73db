import type { ContainerKind } from '../../core/operations/container.js';
import {
  boolean,
  clearable,
  clearableText,
  integer,
  optional,
  text,
  wholeNumber,
} from '../../core/operations/fields.js';
import { getAtLeastOne, mutuallyExclusive } from '../../core/operations/params.js';
import type { ParamRule } from '../../core/operations/params.js';

/** Names the label in a path. */
export const labelParam = {
  label_id: text()
    .describe('ID or name of the label.')
    .meta({ examples: ['bug'] }),
};

/** Identifies the label by a parameter instead of the path, as older clients do: exactly one of the two. */
export const namingParams = {
  label_id: optional(integer()).describe('ID of the label.'),
  name: optional(text())
    .describe('Name of the label.')
    .meta({ examples: ['bug'] }),
};
export const namingRules: readonly ParamRule[] = [
  mutuallyExclusive('label_id', 'name'),
  getAtLeastOne('label_id', 'name'),
];

const priority = () =>
  clearable(wholeNumber(0)).describe(
    'Priority of the label in the project, where 0 is the highest; null removes the priority.',
  );

/** Only projects have priorities. */
const priorityParam = (kind: ContainerKind) =>
  (kind === 'project' ? { priority: priority() } : {}) as { priority: ReturnType<typeof priority> };

const COLOR = 'Colour: `#rgb`, `#rrggbb` or the name that CSS has for it.';
const ARCHIVED = 'If `true`, the label is archived: records keep it, and it cannot be added to others.';

/** Parameters for creating a label. */
export const newLabelParams = (kind: ContainerKind) => ({
  name: text()
    .describe('Name of the label, without commas.')
    .meta({ examples: ['bug'] }),
  color: text()
    .describe(COLOR)
    .meta({ examples: ['#dc143c'] }),
  description: clearableText().describe('Description of the label, in Markdown.'),
  archived: optional(boolean()).describe(ARCHIVED),
  ...priorityParam(kind),
});

/** What can be changed of a label. */
export const labelChangeParams = (kind: ContainerKind) => ({
  new_name: text().optional().describe('New name of the label, without commas.'),
  color: text().optional().describe(COLOR),
  description: clearableText().describe('Description of the label, in Markdown.'),
  archived: optional(boolean()).describe(ARCHIVED),
  ...priorityParam(kind),
});

/** At least one change is required. */
export const labelChangeRule = (kind: ContainerKind): ParamRule =>
  getAtLeastOne(...Object.keys(labelChangeParams(kind)));
