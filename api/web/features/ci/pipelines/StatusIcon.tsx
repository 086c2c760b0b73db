import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePlay,
  CircleX,
  Clock,
  Hourglass,
  SkipForward,
  TriangleAlert,
} from 'lucide-react';
import styles from './StatusIcon.module.css';
import { getStatusLabel } from './labels.js';

const ICONS: Readonly<Record<string, typeof CircleCheck>> = {
  success: CircleCheck,
  failed: CircleX,
  running: CircleDot,
  canceling: Ban,
  canceled: Ban,
  skipped: SkipForward,
  manual: CirclePlay,
  scheduled: Clock,
  waiting_for_resource: Hourglass,
  pending: Clock,
};

interface StatusIconProps {
  status: string;
  mayFail?: boolean;
  /** Whether it says its state; otherwise what it stands in does. */
  hasLabel?: boolean;
}

/** The state of a job or a stage as an icon, in words for screen readers. */
export function StatusIcon({ status, mayFail = false, hasLabel = true }: StatusIconProps) {
  const [tone, label] = getStatusLabel(status, mayFail);
  const Icon = mayFail && status === 'failed' ? TriangleAlert : (ICONS[status] ?? CircleDashed);
  return (
    <span className={`${styles.icon} ${styles[tone]}`} title={hasLabel ? label : undefined}>
      <Icon size={18} aria-hidden />
      {hasLabel && <span className="hidden">{label}</span>}
    </span>
  );
}
