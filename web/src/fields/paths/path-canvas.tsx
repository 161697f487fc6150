/** The arrows drawn: nodes are dragged about, an arrow is drawn from the handle of one node onto another. */
import type { PointerEvent } from 'react';
import { useRef, useState } from 'react';

import type { PathNode, PathsValue, Place } from './read-paths.ts';
import { borderPoint, CANVAS, NODE, placesOf } from './read-paths.ts';
import styles from './paths-field.module.css';

export interface PathCanvasProps {
  id: string;
  nodes: readonly PathNode[];
  paths: PathsValue;
  readOnly: boolean;
  onMove: (node: string, place: Place) => void;
  onConnect: (source: string, target: string) => void;
}

type Gesture = { is: 'move'; node: string; place: Place } | { is: 'connect'; node: string; place: Place };

const short = (name: string): string => (name.length > 6 ? `${name.slice(0, 5)}…` : name);
const inside = ({ x, y }: Place): Place => ({
  x: Math.max(NODE.width / 2, Math.min(CANVAS.width - NODE.width / 2, x)),
  y: Math.max(NODE.height / 2, Math.min(CANVAS.height - NODE.height / 2, y)),
});

export function PathCanvas({ id, nodes, paths, readOnly, onMove, onConnect }: PathCanvasProps) {
  const svg = useRef<SVGSVGElement>(null);
  const [gesture, setGesture] = useState<Gesture | null>(null);
  const stored = placesOf(nodes, paths);
  const place = (node: string): Place =>
    gesture?.is === 'move' && gesture.node === node ? gesture.place : (stored.get(node) ?? { x: 0, y: 0 });

  const pointer = (event: PointerEvent): Place => {
    const box = svg.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return { x: 0, y: 0 };
    return {
      x: ((event.clientX - box.left) / box.width) * CANVAS.width,
      y: ((event.clientY - box.top) / box.height) * CANVAS.height,
    };
  };
  const nodeAt = ({ x, y }: Place): string | null =>
    nodes.find((node) => {
      const at = place(node.id);
      return Math.abs(at.x - x) <= NODE.width / 2 && Math.abs(at.y - y) <= NODE.height / 2;
    })?.id ?? null;
  const begin = (event: PointerEvent, is: Gesture['is'], node: string): void => {
    if (readOnly) return;
    event.preventDefault();
    event.stopPropagation();
    svg.current?.setPointerCapture(event.pointerId);
    setGesture({ is, node, place: is === 'move' ? place(node) : pointer(event) });
  };
  const move = (event: PointerEvent): void => {
    if (gesture === null) return;
    const at = pointer(event);
    setGesture({ ...gesture, place: gesture.is === 'move' ? inside(at) : at });
  };
  const end = (event: PointerEvent): void => {
    if (gesture === null) return;
    if (gesture.is === 'move') onMove(gesture.node, gesture.place);
    else {
      const target = nodeAt(pointer(event));
      if (target !== null) onConnect(gesture.node, target);
    }
    setGesture(null);
  };

  return (
    <svg
      ref={svg}
      className={styles['canvas']}
      viewBox={`0 0 ${CANVAS.width} ${CANVAS.height}`}
      role="img"
      aria-label={`路径图：${nodes.length} 个节点，${paths.edges.length} 条路径。可在下面的表里编辑`}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={() => setGesture(null)}
    >
      <defs>
        <marker
          id={`${id}-arrow`}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto-start-reverse"
        >
          <path d="M0 0 8 4 0 8z" fill="currentColor" />
        </marker>
      </defs>
      {paths.edges.map((edge) => {
        if (!stored.has(edge.source) || !stored.has(edge.target)) return null;
        const [source, target] = [place(edge.source), place(edge.target)];
        const start = borderPoint(target, source);
        const stop = borderPoint(source, target);
        const bend = edge.kind === 'cov' ? 28 : 0;
        const middle = { x: (start.x + stop.x) / 2 - bend, y: (start.y + stop.y) / 2 - bend };
        return (
          <path
            key={`${edge.kind}/${edge.source}/${edge.target}`}
            className={styles['edge']}
            data-kind={edge.kind}
            d={`M${start.x} ${start.y}Q${middle.x} ${middle.y} ${stop.x} ${stop.y}`}
            markerEnd={`url(#${id}-arrow)`}
            markerStart={edge.kind === 'cov' ? `url(#${id}-arrow)` : undefined}
          />
        );
      })}
      {gesture?.is === 'connect' ? (
        <line
          className={styles['drawing']}
          x1={place(gesture.node).x}
          y1={place(gesture.node).y}
          x2={gesture.place.x}
          y2={gesture.place.y}
        />
      ) : null}
      {nodes.map((node) => {
        const at = place(node.id);
        return (
          <g
            key={node.id}
            className={styles['node']}
            transform={`translate(${at.x} ${at.y})`}
            onPointerDown={(event) => begin(event, 'move', node.id)}
          >
            <title>{node.name}</title>
            {node.observed ? (
              <rect x={-NODE.width / 2} y={-NODE.height / 2} width={NODE.width} height={NODE.height} rx={3} />
            ) : (
              <ellipse rx={NODE.width / 2} ry={NODE.height / 2} />
            )}
            <text textAnchor="middle" dominantBaseline="central">
              {short(node.name)}
            </text>
            {readOnly ? null : (
              <circle
                className={styles['handle']}
                cx={NODE.width / 2}
                r={7}
                onPointerDown={(event) => begin(event, 'connect', node.id)}
              >
                <title>{`从“${node.name}”拖到另一个节点，画一条路径`}</title>
              </circle>
            )}
          </g>
        );
      })}
    </svg>
  );
}
