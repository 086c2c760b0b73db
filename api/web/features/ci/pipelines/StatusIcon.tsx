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

/** The state of a job as an icon, in words for screen readers. */
export function StatusIcon({ status, mayFail = false }: { status: string; mayFail?: boolean }) {
  const [tone, label] = getStatusLabel(status, mayFail);
  const Icon = mayFail && status === 'failed' ? TriangleAlert : (ICONS[status] ?? CircleDashed);
  return (
    <span className={`${styles.icon} ${styles[tone]}`} title={label}>
      <Icon size={18} aria-hidden />
      <span className="hidden">{label}</span>
    </span>
  );
}
