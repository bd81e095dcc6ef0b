/**
 * Icons of one family (lucide) and the status shapes as Preact components, for overlay and panel.
 * Only what is named here ends up in a bundle. Icons are decoration: the control around one carries the name.
 */
import {
  ArrowDown,
  Bot,
  Cable,
  Check,
  ChevronDown,
  ChevronRight,
  CircleHelp,
  Copy,
  CornerDownRight,
  Crosshair,
  Download,
  Eye,
  EyeOff,
  FileCodeCorner,
  FolderOpen,
  type IconNode,
  MessageSquare,
  MessagesSquare,
  PanelRight,
  Pencil,
  RefreshCw,
  RotateCcw,
  Search,
  SendHorizontal,
  ShieldQuestionMark,
  SquareDashedMousePointer,
  Trash2,
  TriangleAlert,
  Undo2,
  Unplug,
  Upload,
  UserRound,
  X,
} from 'lucide';
import { h } from 'preact';
import type { Status } from '../generated/Status';
import { unsentLook } from './comment-name';
import { type StatusLook, statusLook } from './status';

export interface IconProps {
  /** Edge in CSS pixels; 16 unless told. */
  size?: number;
}

function icon(node: IconNode, name: string) {
  const Icon = ({ size = 16 }: IconProps) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {node.map(([tag, attributes], index) => h(tag, { ...attributes, key: index }))}
    </svg>
  );
  Icon.displayName = name;
  return Icon;
}

export const AgentIcon = icon(Bot, 'AgentIcon');
export const ApprovalIcon = icon(ShieldQuestionMark, 'ApprovalIcon');
export const ChatIcon = icon(MessagesSquare, 'ChatIcon');
export const CheckIcon = icon(Check, 'CheckIcon');
export const CloseIcon = icon(X, 'CloseIcon');
export const CollapsedIcon = icon(ChevronRight, 'CollapsedIcon');
export const CommentIcon = icon(MessageSquare, 'CommentIcon');
export const CopyIcon = icon(Copy, 'CopyIcon');
export const DeleteIcon = icon(Trash2, 'DeleteIcon');
export const DownIcon = icon(ArrowDown, 'DownIcon');
export const EditIcon = icon(Pencil, 'EditIcon');
export const ExpandedIcon = icon(ChevronDown, 'ExpandedIcon');
export const ExportIcon = icon(Download, 'ExportIcon');
export const FolderIcon = icon(FolderOpen, 'FolderIcon');
export const HelpIcon = icon(CircleHelp, 'HelpIcon');
export const HideIcon = icon(EyeOff, 'HideIcon');
export const ImportIcon = icon(Upload, 'ImportIcon');
export const JumpIcon = icon(Crosshair, 'JumpIcon');
export const OfflineIcon = icon(Unplug, 'OfflineIcon');
export const PairedIcon = icon(Cable, 'PairedIcon');
export const PanelIcon = icon(PanelRight, 'PanelIcon');
export const PersonIcon = icon(UserRound, 'PersonIcon');
export const PickIcon = icon(SquareDashedMousePointer, 'PickIcon');
export const ReopenIcon = icon(RotateCcw, 'ReopenIcon');
export const ReplyIcon = icon(CornerDownRight, 'ReplyIcon');
export const RetryIcon = icon(RefreshCw, 'RetryIcon');
export const SearchIcon = icon(Search, 'SearchIcon');
export const SendIcon = icon(SendHorizontal, 'SendIcon');
export const ShowIcon = icon(Eye, 'ShowIcon');
export const SourceIcon = icon(FileCodeCorner, 'SourceIcon');
export const UndoIcon = icon(Undo2, 'UndoIcon');
export const WarningIcon = icon(TriangleAlert, 'WarningIcon');

/** The shape of a status, in its colour. The word stands beside it or is the label of the control around it. */
export function StatusShape({
  status,
  look = statusLook[status],
  size = 16,
}: IconProps & { status: Status; look?: StatusLook }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
      data-shape={status}
      style={{ color: look.color }}
    >
      <path d={look.path} fill="currentColor" fill-rule="evenodd" />
    </svg>
  );
}

/** The number that the hub gave a comment, or the mark of one that it has not stored yet. */
export function CommentNumber({ number, size = 12 }: IconProps & { number: number | undefined }) {
  if (number !== undefined) return <>{number}</>;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      role="img"
      focusable="false"
      data-unsent=""
      style={{ verticalAlign: '-0.1em' }}
    >
      <title>{unsentLook.word}</title>
      <path d={unsentLook.path} fill="currentColor" />
    </svg>
  );
}
