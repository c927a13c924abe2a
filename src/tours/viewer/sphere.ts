/** Shows a panorama as the inside of a sphere, with Photo Sphere Viewer. */
import { CONSTANTS, SYSTEM, Viewer } from '@photo-sphere-viewer/core'

export interface Picture {
  image: string
  thumb: string
}

/** Maximum width in pixels on devices with little memory: 8192 × 4096 pixels take 128 MB. */
const SMALL_TEXTURE = 4096
const LITTLE_MEMORY_GB = 4
/** Duration of the fade between pictures, in milliseconds. */
const FADE = 600

const { ACTIONS } = CONSTANTS

const stillness = matchMedia('(prefers-reduced-motion: reduce)')

/** Makes a sphere in `container`; null without WebGL. */
export function openSphere(container: HTMLElement, wheelHint: string): Viewer | null {
  try {
    SYSTEM.load()
  } catch {
    return null
  }
  const { deviceMemory = Number.POSITIVE_INFINITY } = navigator as { deviceMemory?: number }
  if (deviceMemory <= LITTLE_MEMORY_GB)
    SYSTEM.maxTextureWidth = Math.min(SYSTEM.maxTextureWidth, SMALL_TEXTURE)
  const viewer = new Viewer({
    container,
    navbar: false,
    keyboard: 'always',
    keyboardActions: {
      ArrowUp: ACTIONS.ROTATE_UP,
      ArrowDown: ACTIONS.ROTATE_DOWN,
      ArrowLeft: ACTIONS.ROTATE_LEFT,
      ArrowRight: ACTIONS.ROTATE_RIGHT,
      Plus: ACTIONS.ZOOM_IN,
      'Shift+Plus': ACTIONS.ZOOM_IN,
      '=': ACTIONS.ZOOM_IN,
      Minus: ACTIONS.ZOOM_OUT,
    },
    mousewheelCtrlKey: wheelBelongsToHost(),
    lang: { ctrlZoom: wheelHint },
    minFov: 25,
    defaultZoomLvl: 20,
  })
  stillness.addEventListener('change', () => applyInertia(viewer))
  applyInertia(viewer)
  document.addEventListener('fullscreenchange', () =>
    viewer.setOption('mousewheelCtrlKey', wheelBelongsToHost()),
  )
  return viewer
}

/** Shows a picture, and its thumbnail until it is loaded. False if another picture was requested in between. Throws. */
export async function showInSphere(viewer: Viewer, { image, thumb }: Picture): Promise<boolean> {
  const effect = stillness.matches ? false : { speed: FADE, rotation: false, effect: 'fade' as const }
  const start = { position: { yaw: 0, pitch: 0 }, transition: effect, showLoader: false }
  if (thumb === image) return viewer.setPanorama(image, start)
  const shown = await viewer.setPanorama(thumb, start).catch(() => null)
  if (shown === false) return false
  return viewer.setPanorama(image, shown ? { transition: false, showLoader: false } : start)
}

function applyInertia(viewer: Viewer): void {
  viewer.setOption('moveInertia', stillness.matches ? 0 : 0.8)
}

/** Whether the wheel scrolls the page around the frame. In full screen it zooms instead. */
function wheelBelongsToHost(): boolean {
  return window.top !== window && !document.fullscreenElement
}
