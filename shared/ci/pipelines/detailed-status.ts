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

/** How the status of a pipeline or of one of its stages is displayed; `path` leads to its page. */
export function detailedStatus(status: string, path: string): DetailedStatus {
  const text = LABELS[status] ?? capitalized(status);
  return {
    icon: `status_${status}`,
    text,
    label: text.toLowerCase(),
    group: status.replaceAll('_', '-'),
    tooltip: text.toLowerCase(),
    has_details: true,
    details_path: path,
    illustration: null,
    favicon: `/assets/favicon_status_${status}.png`,
  };
}
