/** Line icons, drawn in the colour of the text. Decoration: the words beside them say the same. */
const PATHS = {
  house: 'M4 11.5 12 4l8 7.5M6.5 9.5V20h11V9.5M10 20v-5.5h4V20',
  size: 'M4 9V4h5M20 15v5h-5M4 4l6 6M20 20l-6-6',
  bed: 'M3 18v-5h18v5M5 13V7h14v6M3 18v2M21 18v2M8 13v-3h8v3',
  bath: 'M4 12h16v2a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5zM6 12V6a2 2 0 0 1 4 0M8 19l-1 2M16 19l1 2',
  floor: 'M4 20h4v-4h4v-4h4V8h4V4',
  calendar: 'M5 6h14v14H5zM5 10h14M9 3.5V7M15 3.5V7',
  pin: 'M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.3 15.3 20 20',
  map: 'M9 5 4 7v13l5-2 6 2 5-2V5l-5 2zM9 5v13M15 7v13',
  list: 'M4 6h16M4 12h16M4 18h16',
  tour: 'M3 12c0 2.2 4 4 9 4s9-1.8 9-4-4-4-9-4-9 1.8-9 4zM12 3a4 9 0 0 1 0 18 4 9 0 0 1 0-18z',
  phone:
    'M6 3.5h3.5l1.5 4.5-2 1.5a11 11 0 0 0 5.5 5.5l1.5-2 4.5 1.5V18a2.5 2.5 0 0 1-2.5 2.5C10.5 20.5 3.5 13.5 3.5 6A2.5 2.5 0 0 1 6 3.5z',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  arrow: 'M5 12h14M13 6l6 6-6 6',
  video: 'M4 6h16v12H4zM10 9.5v5l4.5-2.5z',
  camera: 'M4 8h4l1.5-2.5h5L16 8h4v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
