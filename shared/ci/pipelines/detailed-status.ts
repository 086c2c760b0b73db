import { describeFailure } from '../job-states/describe-failure.js';

const LABELS: Record<string, string> = { success: 'Passed', canceled: 'Canceled', failed: 'Failed' };

const capitalized = (status: string) => status.replaceAll('_', ' ').replace(/^\w/, (letter) => letter.toUpperCase());

/** How a status is displayed. */
export interface DetailedStatus {
  icon: string;
  text: string;
  label: string;
  group: string;
  tooltip: string;
  has_details: boolean;
  details_path: string | null;
  illustration: null;
  favicon: string;
}

/**
 * How the status of a job, a pipeline or one of its stages is displayed; `path` leads to its page.
 * @param failureReason of a job that failed: the tooltip says what it means, and what to do next
 */
export function detailedStatus(status: string, path: string, failureReason?: string | null): DetailedStatus {
  const text = LABELS[status] ?? capitalized(status);
  const failure = status === 'failed' && failureReason ? describeFailure(failureReason) : null;
  return {
    icon: `status_${status}`,
    text,
    label: text.toLowerCase(),
    group: status.replaceAll('_', '-'),
    tooltip: failure ? `${text.toLowerCase()}: ${failure.sentence} ${failure.next}` : text.toLowerCase(),
    has_details: true,
    details_path: path,
    illustration: null,
    favicon: `/assets/favicon_status_${status}.png`,
  };
}
