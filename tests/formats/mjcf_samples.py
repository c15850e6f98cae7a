"""Small MuJoCo models, one for each thing the reader must understand; all of them are models to MuJoCo too."""

from __future__ import annotations

BALL = '<geom size="0.02"/>'  # what moves needs a mass, or MuJoCo refuses it


def mjcf(world: str, before: str = "", after: str = "") -> str:
    """A model of what its world holds."""
    return f'<mujoco model="sample">{before}<worldbody>{world}</worldbody>{after}</mujoco>'


# Everything the reader looks at, in one model; MuJoCo would ask for the mesh.
WHOLE_MODEL = """<mujoco model="whole">
  <compiler angle="degree" eulerseq="XYZ" autolimits="true" meshdir="meshes"/>
  <default>
    <joint range="-90 90"/>
    <geom rgba="0.5 0.5 0.5 1" group="2"/>
    <default class="slim"><geom type="capsule" size="0.02"/><joint axis="0 1 0"/></default>
  </default>
  <asset>
    <mesh name="skin" file="skin.stl" scale="1 1 1"/>
    <material name="red" rgba="1 0 0 1"/>
  </asset>
  <worldbody>
    <site name="origin"/>
    <frame pos="0 0 1" euler="0 0 45">
      <body name="torso" quat="1 0.1 0 0" childclass="slim">
        <freejoint name="root"/>
        <geom name="chest" fromto="0 0 0 0 0 0.3" material="red"/>
        <geom type="mesh" mesh="skin"/>
        <camera name="lens" pos="0.1 0 0.4" xyaxes="0 -1 0 0 0 1"/>
        <body name="arm" pos="0 0.2 0.3" axisangle="1 0 0 30">
          <joint name="hip" type="ball" pos="0 0 0.01" limited="false"/>
          <geom fromto="0 0 0 0.3 0 0"/>
          <body name="hand" pos="0.3 0 0" zaxis="1 0 1">
            <joint name="bend" pos="0.01 0 0" ref="10"/>
            <joint name="reach" type="slide" axis="1 0 0" range="-0.1 0.2"/>
            <geom type="box" size="0.01 0.02 0.03"/>
            <site name="grip" pos="0 0 0.05"/>
            <body name="left" pos="0 0.1 0"><joint name="left" range="0 40"/></body>
            <body name="right" pos="0 -0.1 0"><joint name="right" range="-40 0"/></body>
          </body>
        </body>
      </body>
    </frame>
  </worldbody>
  <equality>
    <joint joint1="right" joint2="left" polycoef="0 -1 0 0 0"/>
  </equality>
</mujoco>
"""

MODELS: dict[str, str] = {
    "a hinge and a slide": mjcf(
        f"""<body name="a" pos="0.1 0.2 0.3">{BALL}<joint name="turn" axis="0 1 1" range="-90 45"/>
        <body name="b" pos="0 0 0.4"><joint name="reach" type="slide" axis="1 0 2" range="-0.1 0.3"/>{BALL}</body>
        </body>"""
    ),
    "joints off the body's origin, several on one body": mjcf(
        f"""<body name="a" pos="1 0 0" euler="10 20 30">{BALL}
        <joint name="x" axis="1 0 0" pos="0.1 0.2 -0.3"/>
        <joint name="s" axis="0 1 1" type="slide" pos="5 5 5"/>
        <joint name="y" axis="0 1 0" pos="-0.4 0 0.1"/>
        <body name="b" pos="0 0.5 0"><joint name="z" pos="0 -0.1 0"/>{BALL}</body></body>"""
    ),
    "angles measured from ref": mjcf(
        f"""<body name="a" pos="0 0 1" quat="1 1 0 0">{BALL}
        <joint name="x" axis="1 1 0" pos="0.1 0 0" ref="30" range="0 90"/>
        <joint name="s" axis="0 1 1" type="slide" ref="0.25"/>
        <joint name="y" axis="0 1 0" pos="-0.4 0 0.1" ref="-200" springref="7"/>
        <body name="b" pos="0 0.5 0"><joint name="z" ref="100" range="-10 10"/>{BALL}</body></body>"""
    ),
    "radians": mjcf(
        f'<body name="a" axisangle="0 3 4 0.5"><joint name="j" range="-1 2" ref="0.5"/>{BALL}</body>',
        before='<compiler angle="radian"/>',
    ),
    "every spelling of an orientation": mjcf(
        f"""<body name="quat" quat="1 2 3 4"/><body name="axisangle" axisangle="1 2 3 40"/>
        <body name="euler" euler="30 40 50"/><body name="xyaxes" xyaxes="1 1 0 0 1 0.5"/>
        <body name="flipped" xyaxes="1 0.2 0 0 -1 0"/><body name="zaxis" zaxis="1 2 -3"/>
        <body name="down" zaxis="0 0 -1"/><site name="span" type="capsule" size="0.1" fromto="1 2 3 2 0 -1"/>
        <body name="a">{BALL}<joint name="j"/></body>"""
    ),
    "euler angles about fixed axes": mjcf(
        f'<body name="a" euler="30 40 50">{BALL}<joint name="j"/></body>', before='<compiler eulerseq="ZYX"/>'
    ),
    "euler angles about mixed axes": mjcf(
        f'<body name="a" euler="30 40 50">{BALL}<joint name="j"/></body>', before='<compiler eulerseq="xYz"/>'
    ),
    "default classes, nested, by childclass and by class": mjcf(
        f"""<body name="a">{BALL}<joint name="plain"/>
        <frame childclass="bent"><body name="b">{BALL}<joint name="in frame"/><site name="s1"/>
        <body name="c" childclass="slid"><joint name="in slid"/><joint name="by class" class="bent" ref="15"/>{BALL}
        <site name="s2" euler="0 0 30"/></body></body></frame></body>""",
        before="""<default><joint axis="1 0 0" range="-40 50"/><default class="bent"><joint axis="0 1 1" pos="0.1 0 0"/>
        <site pos="0 0 1" quat="0 1 0 0"/><default class="slid"><joint type="slide" ref="0.125" range="-1 1"/></default>
        </default></default><default><joint ref="5"/></default>""",
    ),
    "frames within frames": mjcf(
        f"""<frame pos="1 2 3" euler="0 0 90"><frame quat="1 0 1 0"><body name="a" pos="0.5 0 0">{BALL}
        <frame pos="0 0.1 0" euler="90 0 0"><joint name="j" axis="0 1 0" pos="0.2 0 0" ref="20"/>
        <joint name="s" type="slide" axis="1 0 0" ref="0.5"/><site name="tip" pos="0 0 0.3"/>
        <body name="b" pos="0 0 1"><joint name="k" axis="1 1 1"/>{BALL}</body></frame></body></frame></frame>"""
    ),
    "a ball joint off the origin": mjcf(
        f"""<body name="a" pos="0 0 1" euler="0 30 0"><joint name="hip" type="ball" pos="0.1 0.2 0.3"/>{BALL}
        <body name="b" pos="0 0 -0.4"><joint name="knee" axis="0 1 0"/>{BALL}</body></body>"""
    ),
    "a free body": mjcf(
        f"""<frame euler="0 0 45" pos="0 1 0"><body name="torso" pos="1 2 3" quat="1 0.2 0.3 0.4"><freejoint/>{BALL}
        <body name="arm" pos="0.1 0 0"><joint name="shoulder" axis="1 0 0"/>{BALL}</body></body></frame>"""
    ),
    "a free joint by its type": mjcf(
        f'<body name="torso" pos="1 2 3"><joint name="root" type="free" pos="4 5 6"/>{BALL}</body>'
    ),
    "bodies without joints": mjcf(
        f"""<body name="pole" pos="1 0 0" euler="0 90 0"><body name="arm" pos="0 0 1"><joint name="j" axis="0 1 0"/>
        {BALL}<body name="hand" pos="0 0 0.5" euler="0 0 90"><site name="grip" pos="0 0.1 0"/>
        <body name="finger" pos="0 0 0.1"><joint name="bend" axis="1 0 0" pos="0 0 -0.02"/>{BALL}</body></body></body>
        </body>"""
    ),
    "two world bodies": f"""<mujoco><worldbody><site name="origin"/></worldbody><worldbody><body name="a">{BALL}
        <joint name="j"/></body></worldbody></mujoco>""",
    "nothing but the world": mjcf(""),
}
